import { limits } from '@oja/domain/rules';
import { Button } from '../../ui/Button.js';
import { classes } from '../../ui/classes.js';
import { Message } from '../../ui/Field.js';
import { Stars } from '../../ui/Stars.js';
import { starRows } from './stars.js';
import { useReview } from './use-review.js';

/** One row of stars is chosen, and something is written. */
export function ReviewForm() {
  const { text, setText, chosen, setChosen, author, failure, submit } = useReview();
  return (
    <section className="panel">
      <h2 className="h3 first">Your experience</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <fieldset>
          <legend className="vh">How many stars</legend>
          <ul className="pickstars">
            {starRows.map((stars) => (
              <li key={stars}>
                <label>
                  <input
                    type="radio"
                    name="stars"
                    className="vh"
                    checked={chosen === stars}
                    onChange={() => setChosen(stars)}
                  />
                  <span className={classes(chosen === stars && 'on')}>
                    <Stars count={stars} />
                    <span className="num" aria-hidden="true">
                      {stars}
                    </span>
                  </span>
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
        <textarea
          className="inp"
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
        <Button type="submit" full className="post" disabled={chosen === undefined}>
          Submit
        </Button>
        <p className="tiny muted as">Shown as {author ?? 'Anonymous'}.</p>
      </form>
    </section>
  );
}
