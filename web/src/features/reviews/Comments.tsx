import { useQuery } from '@tanstack/react-query';
import { MessageSquare } from 'lucide-react';
import { useState } from 'react';
import { commentsQuery } from '../../api/reviews.js';
import type { Comment } from '../../api/types.js';
import { Button } from '../../ui/Button.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { Stars } from '../../ui/Stars.js';
import { EmptyState, ErrorState, OfflineState } from '../../ui/States.js';
import { useOnline } from '../../ui/use-online.js';
import { ago } from './ago.js';

/** Comments shown at first, and added by each press of 'Show more'. */
const A_PAGE = 24;

/** What people wrote, newest first. */
export function Comments() {
  return (
    <section className="panel" aria-labelledby="comments">
      <h2 id="comments">Users' Comments</h2>
      <CommentList />
    </section>
  );
}

function CommentList() {
  const { data, isError, fetchStatus, refetch } = useQuery(commentsQuery);
  const [shown, setShown] = useState(A_PAGE);
  const online = useOnline();
  if (data === undefined && (isError || fetchStatus === 'paused'))
    return online ? <ErrorState onRetry={() => void refetch()} /> : <OfflineState />;
  if (data === undefined) return <CommentSkeletons />;
  if (data.length === 0)
    return (
      <EmptyState
        motif="leaf"
        icon={MessageSquare}
        paper
        title="No comments yet."
        line="Be the first to say how the market served you."
      />
    );
  const now = Date.now();
  return (
    <>
      <ul className="comments">
        {data.slice(0, shown).map((comment) => (
          <OneComment key={comment.comment_id} comment={comment} now={now} />
        ))}
      </ul>
      {data.length > shown && (
        <p className="c more">
          <Button look="line" onClick={() => setShown(shown + A_PAGE)}>
            Show more
          </Button>
        </p>
      )}
    </>
  );
}

function OneComment({ comment, now }: { readonly comment: Comment; readonly now: number }) {
  return (
    <li>
      <div className="row wrap who">
        <b>{comment.businessName ?? 'Anonymous'}</b>
        <time className="muted tiny" dateTime={comment.created_at}>
          {ago(comment.created_at, now)}
        </time>
      </div>
      <Stars count={comment.stars} />
      <p>{comment.comment_text}</p>
    </li>
  );
}

function CommentSkeletons() {
  return (
    <ul className="comments" aria-busy="true">
      {['first', 'second', 'third', 'fourth'].map((place) => (
        <li key={place} aria-hidden="true">
          <Skeleton width="40%" height={20} />
          <Skeleton className="sk-comment" height={48} />
        </li>
      ))}
    </ul>
  );
}
