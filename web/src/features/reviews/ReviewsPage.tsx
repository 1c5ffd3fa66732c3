import { limits } from '@oja/domain/rules';
import { cleanLines } from '@oja/domain/rules/user-input';
import { useQuery } from '@tanstack/react-query';
import { MessageSquare, Star } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { errorMessage, isKeyReused } from '../../api/failures.js';
import { invalidate } from '../../api/query-client.js';
import type { Comment } from '../../api/types.js';
import { createStoredKey } from '../../api/use-idempotency-key.js';
import { useIsStillOnPage } from '../../app/navigation.js';
import { Screen } from '../../app/Screen.js';
import { createFormStorage } from '../../stores/form-storage.js';
import { useIsSuspended, useSessionPhase, useUser } from '../../stores/session.js';
import { Button } from '../../ui/Button.js';
import { classes } from '../../ui/classes.js';
import { Message } from '../../ui/Field.js';
import * as fieldStyles from '../../ui/Field.module.css';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { MoreButton } from '../../ui/MoreButton.js';
import * as panelStyles from '../../ui/Panel.module.css';
import { formatCount } from '../../ui/Price.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, ErrorState, LoadFailed } from '../../ui/States.js';
import { TOAST_MS, toast } from '../../ui/toast.js';
import * as styles from './ReviewsPage.module.css';
import {
  addReview,
  commentsQuery,
  formatAge,
  ratingsQuery,
  starRows,
  summarize,
  toHistogram,
  toRatingData,
} from './reviews.js';

/** Reviews of the market, and the form to write one. */
export default function ReviewsPage() {
  return (
    <Screen title="Ratings and reviews" className={layout.page}>
      <h1 className={styles.head}>Ratings and reviews</h1>
      <div className={`${layout.twoColumns} ${styles.columns}`}>
        <aside className={layout.stack}>
          <Histogram />
          <ReviewForm />
        </aside>
        <Comments />
      </div>
    </Screen>
  );
}

/** A rating of five stars. */
function Stars({ count }: { readonly count: number }) {
  return (
    <span className={styles.rating} role="img" aria-label={`${count} of 5 stars`}>
      {[1, 2, 3, 4, 5].map((place) => (
        <Star
          key={place}
          className={place > count ? styles.hollow : undefined}
          aria-hidden="true"
        />
      ))}
    </span>
  );
}

/** The mean rating, and how often each number of stars was given. */
function Histogram() {
  const { data, isError, refetch } = useQuery(ratingsQuery);
  if (isError && data === undefined) return <ErrorState panel onRetry={() => void refetch()} />;
  if (data === undefined)
    return (
      <section className={panelStyles.panel} aria-busy="true">
        <Skeleton height={48} />
        <Skeleton className={styles.comingHistogram} height={124} />
      </section>
    );
  const { count, mean } = summarize(data);
  return (
    <section className={panelStyles.panel} aria-label="Ratings">
      <div className={`${layout.row} ${styles.mean}`}>
        {mean !== undefined && <p className={layout.figures}>{mean.toFixed(1)}</p>}
        <div>
          {mean !== undefined && <Stars count={Math.round(mean)} />}
          <p className={`${layout.muted} ${layout.small} ${layout.figures}`}>
            {formatCount(count, 'rating')}
          </p>
        </div>
      </div>
      <ul className={styles.histogram}>
        {toHistogram(data).map((row) => (
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
const COMMENTS_PER_STEP = 24;

/** The comments, newest first. */
function Comments() {
  return (
    <section className={panelStyles.panel} aria-labelledby="comments">
      <h2 id="comments">Users' Comments</h2>
      <CommentList />
    </section>
  );
}

function CommentList() {
  const { data, isError, fetchStatus, refetch } = useQuery(commentsQuery);
  const [shown, setShown] = useState(COMMENTS_PER_STEP);
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
          <CommentItem key={comment.comment_id} comment={comment} now={now} />
        ))}
      </ul>
      {data.length > shown && (
        <MoreButton onClick={() => setShown(shown + COMMENTS_PER_STEP)}>Show more</MoreButton>
      )}
    </>
  );
}

function CommentItem({ comment, now }: { readonly comment: Comment; readonly now: number }) {
  return (
    <li>
      <div className={`${layout.row} ${layout.wrap} ${styles.reviewer}`}>
        <b>{comment.businessName ?? 'Anonymous'}</b>
        <time className={`${layout.muted} ${layout.tiny}`} dateTime={comment.created_at}>
          {formatAge(comment.created_at, now)}
        </time>
      </div>
      <Stars count={comment.stars} />
      <p dir="auto">{comment.comment_text}</p>
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

/** A rating and a text; both are needed. */
function ReviewForm() {
  const { text, setText, chosen, setChosen, author, failure, submit } = useReview();
  return (
    <section className={`${panelStyles.panel} ${styles.form}`} aria-labelledby="your-experience">
      <h2 id="your-experience" className={`${layout.heading} ${layout.atTop}`}>
        Your experience
      </h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <fieldset>
          <legend className={layout.visuallyHidden}>How many stars</legend>
          <ul className={styles.stars}>
            {starRows.map((stars) => (
              <li key={stars}>
                <label>
                  <input
                    type="radio"
                    name="stars"
                    className={layout.visuallyHidden}
                    checked={chosen === stars}
                    onChange={() => setChosen(stars)}
                  />
                  <span className={classes(chosen === stars && styles.chosen)}>
                    <Stars count={stars} />
                    <span className={layout.figures} aria-hidden="true">
                      {stars}
                    </span>
                  </span>
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
        <textarea
          className={fieldStyles.control}
          aria-label="Write your experience..."
          placeholder="Write your experience..."
          maxLength={limits.comment.max}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        {failure !== undefined && (
          <Message kind="err" role="alert">
            Your review was not posted. {failure}
          </Message>
        )}
        <Button
          type="submit"
          full
          className={styles.post}
          // The sent form empties at once; a disabled button would lose the focus then.
          aria-disabled={chosen === undefined || undefined}
        >
          Submit
        </Button>
        <p className={`${layout.tiny} ${layout.muted} ${styles.shownAs}`}>
          Shown as {author ?? 'Anonymous'}.
        </p>
      </form>
    </section>
  );
}

/** A review that is being written, is on its way, or could not be posted. */
const formStorage = createFormStorage('oja-review', ['text', 'stars']);
const withKey = createStoredKey('oja-review-sent');
const ALREADY_POSTED =
  'The market has it as you wrote it first. Press Submit again to post this one too.';
/** The text of the review on its way. It is stored, as a phone may close the tab, but the form is empty. */
let textInFlight: string | undefined;

const isBeingSent = () => textInFlight !== undefined && formStorage.load().text === textInFlight;
/** What the form begins with. */
const initialReview = () => (isBeingSent() ? {} : formStorage.load());

/**
 * State of the review being written. The form says thanks and empties at once, before the server answers; if
 * the review could not be posted, its text comes back.
 */
function useReview() {
  const user = useUser();
  const signedIn = useSessionPhase() === 'signed-in';
  // The market refuses a review under the name of a suspended seller.
  const isNamed = !useIsSuspended() && signedIn;
  const author = isNamed ? user?.businessName : undefined;
  const [text, setText] = useState(() => initialReview().text ?? '');
  const [chosen, setChosen] = useState(() =>
    starRows.find((stars) => `${stars}` === initialReview().stars),
  );
  useEffect(() => {
    if (text === '' && isBeingSent()) return;
    formStorage.save({ text, ...(chosen !== undefined && { stars: `${chosen}` }) });
  }, [text, chosen]);
  const isStillOnPage = useIsStillOnPage();
  const [failure, setFailure] = useState<string>();
  /** What was typed since the review was sent: the returning text does not overwrite it. */
  const latestText = useRef('');
  latestText.current = text;

  const submit = async () => {
    const comment_text = cleanLines(text);
    if (chosen === undefined) return;
    if (comment_text === '') return toast.error('Please enter your comment');
    setFailure(undefined);
    textInFlight = comment_text;
    formStorage.save({ text: comment_text, stars: `${chosen}` });
    setText('');
    setChosen(undefined);
    toast.success('Thank you for your review', { duration: TOAST_MS });
    const review = {
      comment_text,
      ratingData: toRatingData(chosen),
      ...(author !== undefined && { businessName: author }),
    };
    try {
      await withKey((key) => addReview(review, key));
      if (formStorage.load().text === comment_text) formStorage.save({});
      await invalidate(['reviews']);
    } catch (error) {
      console.error(error);
      const why = isKeyReused(error) ? ALREADY_POSTED : errorMessage(error);
      if (isKeyReused(error)) void invalidate(['reviews']);
      // Whoever has gone elsewhere was thanked, and finds the review in the form when they come back.
      if (!isStillOnPage()) {
        toast.error(why, { title: 'Your review was not posted' });
        return;
      }
      setFailure(why);
      if (latestText.current !== '') return;
      setText(comment_text);
      setChosen((now) => now ?? chosen);
    } finally {
      if (textInFlight === comment_text) textInFlight = undefined;
    }
  };
  return { text, setText, chosen, setChosen, author, failure, submit };
}
