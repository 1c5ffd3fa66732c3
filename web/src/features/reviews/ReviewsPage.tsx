import { useQuery } from '@tanstack/react-query';
import { MessageSquare, Star } from 'lucide-react';
import { useState } from 'react';
import type { Comment } from '../../api/types.js';
import { Screen } from '../../app/Screen.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { MoreButton } from '../../ui/MoreButton.js';
import * as panelStyles from '../../ui/Panel.module.css';
import { countOf } from '../../ui/Price.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { Stars } from '../../ui/Stars.js';
import { EmptyState, ErrorState, LoadFailed } from '../../ui/States.js';
import { ReviewForm } from './ReviewForm.js';
import * as styles from './ReviewsPage.module.css';
import { ago, commentsQuery, histogram, ratingsQuery, summary } from './reviews.js';

/** Reviews of the market, and the form to write one. */
export default function ReviewsPage() {
  return (
    <Screen title="Ratings and reviews" className={layout.page}>
      <h1 className={styles.head}>Ratings and reviews</h1>
      <div className={`${layout.twoColumns} ${styles.columns}`}>
        <aside className={layout.stack}>
          <Histogram />
          <ReviewForm className={styles.form} />
        </aside>
        <Comments />
      </div>
    </Screen>
  );
}

/** The mean rating, and how often each number of stars was given. */
export function Histogram() {
  const { data, isError, refetch } = useQuery(ratingsQuery);
  if (isError && data === undefined) return <ErrorState panel onRetry={() => void refetch()} />;
  if (data === undefined)
    return (
      <section className={panelStyles.panel} aria-busy="true">
        <Skeleton height={48} />
        <Skeleton className={styles.comingHistogram} height={124} />
      </section>
    );
  const { count, mean } = summary(data);
  return (
    <section className={panelStyles.panel} aria-label="Ratings">
      <div className={`${layout.row} ${styles.mean}`}>
        {mean !== undefined && <p className={layout.figures}>{mean.toFixed(1)}</p>}
        <div>
          {mean !== undefined && <Stars count={Math.round(mean)} />}
          <p className={`${layout.muted} ${layout.small} ${layout.figures}`}>
            {countOf(count, 'rating')}
          </p>
        </div>
      </div>
      <ul className={styles.histogram}>
        {histogram(data).map((row) => (
          <li key={row.stars}>
            <span className={layout.figures} aria-hidden="true">
              {row.stars}
            </span>
            <Icon of={Star} size="xs" />
            <i style={{ width: row.width }} />
            <span className={layout.visuallyHidden}>
              {row.stars === 1 ? '1 star:' : `${row.stars} stars:`}
            </span>
            <span className={`${layout.figures} ${layout.muted}`}>
              {row.count.toLocaleString('en-NG')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Comments shown at first, and added by each press of 'Show more'. */
const A_PAGE = 24;

/** The comments, newest first. */
export function Comments() {
  return (
    <section className={panelStyles.panel} aria-labelledby="comments">
      <h2 id="comments">Users' Comments</h2>
      <CommentList />
    </section>
  );
}

function CommentList() {
  const { data, isError, fetchStatus, refetch } = useQuery(commentsQuery);
  const [shown, setShown] = useState(A_PAGE);
  if (data === undefined && (isError || fetchStatus === 'paused'))
    return <LoadFailed onRetry={() => void refetch()} />;
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
      <ul className={styles.comments}>
        {data.slice(0, shown).map((comment) => (
          <OneComment key={comment.comment_id} comment={comment} now={now} />
        ))}
      </ul>
      {data.length > shown && (
        <MoreButton onClick={() => setShown(shown + A_PAGE)}>Show more</MoreButton>
      )}
    </>
  );
}

function OneComment({ comment, now }: { readonly comment: Comment; readonly now: number }) {
  return (
    <li>
      <div className={`${layout.row} ${layout.wrap} ${styles.reviewer}`}>
        <b>{comment.businessName ?? 'Anonymous'}</b>
        <time className={`${layout.muted} ${layout.tiny}`} dateTime={comment.created_at}>
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
    <ul className={styles.comments} aria-busy="true">
      {['first', 'second', 'third', 'fourth'].map((place) => (
        <li key={place} aria-hidden="true">
          <Skeleton width="40%" height={20} />
          <Skeleton className={styles.comingComment} height={48} />
        </li>
      ))}
    </ul>
  );
}
