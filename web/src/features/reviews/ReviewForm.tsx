import { limits } from '@oja/domain/rules';
import { useRef, useState } from 'react';
import { messageOf } from '../../api/error.js';
import { readAgain } from '../../api/query-client.js';
import { useSessionPhase, useUser } from '../../stores/session.js';
import { Button } from '../../ui/Button.js';
import { classes } from '../../ui/classes.js';
import { Message } from '../../ui/Field.js';
import * as fieldStyles from '../../ui/Field.module.css';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Stars } from '../../ui/Stars.js';
import { TOAST_MS, toast } from '../../ui/toast.js';
import * as styles from './ReviewForm.module.css';
import { addReview, ratingOf, type StarCount, starRows } from './reviews.js';

/** A rating and a text; both are needed. */
export function ReviewForm({ className }: { readonly className?: string | undefined }) {
  const { text, setText, chosen, setChosen, author, failure, submit } = useReview();
  return (
    <section className={classes(panelStyles.panel, className)} aria-labelledby="your-experience">
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
        <Button type="submit" full className={styles.post} disabled={chosen === undefined}>
          Submit
        </Button>
        <p className={`${layout.tiny} ${layout.muted} ${styles.shownAs}`}>
          Shown as {author ?? 'Anonymous'}.
        </p>
      </form>
    </section>
  );
}

/**
 * State of the review being written. The form says thanks and empties at once, before the server answers; if
 * the review could not be posted, its text comes back.
 */
function useReview() {
  const user = useUser();
  const signedIn = useSessionPhase() === 'signed-in';
  const author = signedIn ? user?.businessName : undefined;
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<StarCount>();
  const [failure, setFailure] = useState<string>();
  /** What was typed since the review was sent: the returning text does not overwrite it. */
  const newer = useRef('');
  newer.current = text;

  const submit = async () => {
    const comment_text = text.trim();
    if (chosen === undefined) return;
    if (comment_text === '') return toast.error('Please enter your comment');
    setFailure(undefined);
    setText('');
    setChosen(undefined);
    toast.success('Thank you for your review', { duration: TOAST_MS });
    try {
      await addReview({
        comment_text,
        ratingData: ratingOf(chosen),
        ...(author !== undefined && { businessName: author }),
      });
      await readAgain(['reviews']);
    } catch (error) {
      console.error(error);
      setFailure(messageOf(error));
      if (newer.current !== '') return;
      setText(comment_text);
      setChosen((now) => now ?? chosen);
    }
  };
  return { text, setText, chosen, setChosen, author, failure, submit };
}
