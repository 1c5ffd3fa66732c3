import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import {
  asSeller,
  callCount,
  count,
  failure,
  press,
  sentValue,
  sequence,
  texts,
} from '../steps.js';

const ADD = 'POST /v1/add-comment';
const reviews = at('/ratings-and-reviews');
const TEXT = 'Write your experience...';
const write = (words: string) => (stage: Stage) => stage.type(TEXT, words);
const star = (stars: number) => async (stage: Stage) => {
  await stage.settled();
  const box = stage.find('input[name=stars]')[5 - stars];
  box?.click();
};
const post = sequence(star(4), write('Came in one day.'), press('Submit'));
const widths = (stage: Stage) =>
  stage
    .find('.ReviewsPage-histogram i')
    .map((bar) => bar.style.width)
    .join(', ');
const chosen = count('input[name=stars]:checked');

export const reviewsPage: readonly Row[] = [
  reviews('its input', TEXT, 'placeholder'),
  reviews('the comments', "Users' Comments", 'heading'),
  reviews(
    'the comments, newest first',
    'Came in one day., Paid out at once.',
    texts('.ReviewsPage-comments li > p'),
  ),
  reviews(
    'a comment without a name',
    'Anonymous, Coal City Footwear',
    texts('.ReviewsPage-comments b'),
  ),
  reviews('no comments', 'No comments yet.', 'heading', (stage) =>
    stage.answers('GET /v1/comments', 200, { success: true, result: [] }),
  ),
  reviews('rows of the histogram', 5, count('.ReviewsPage-histogram li')),
  reviews('widths, 10 px a rating, from 5 stars down', '70px, 30px, 0px, 10px, 0px', widths),
  reviews('counts, none is 0', '7, 3, 0, 1, 0', texts('.ReviewsPage-histogram .layout-muted')),
  reviews('rows of stars to choose', 5, count('input[name=stars]')),
  reviews('no star chosen', 'Submit', 'disabled'),
  reviews('a star chosen', 'Submit', 'enabled', star(4)),
  reviews('two rows chosen, one after the other', 1, chosen, sequence(star(4), star(2))),
  reviews(
    'nothing written',
    'Please enter your comment',
    'toast',
    sequence(star(4), press('Submit')),
  ),
  reviews(
    'only spaces written',
    'Please enter your comment',
    'toast',
    sequence(star(4), write('   '), press('Submit')),
  ),
  reviews('calls with nothing written', 0, {
    measure: async (stage) => {
      await star(4)(stage);
      await stage.press('Submit');
      await stage.sees('Please enter your comment', 'toast');
      return stage.callsTo(ADD).length;
    },
  }),
  reviews(
    '4 stars sent as',
    '{"bar1":0,"bar2":0,"bar3":0,"bar4":1,"bar5":0}',
    sentValue(ADD, 'ratingData'),
    post,
  ),
  reviews('the words sent', 'Came in one day.', sentValue(ADD, 'comment_text'), post),
  reviews(
    'a visitor, what is sent',
    'comment_text,ratingData',
    (stage) => Object.keys(Object(stage.callsTo(ADD)[0]?.body)).join(),
    post,
  ),
  at('/ratings-and-reviews', asSeller)(
    'signed in, the name sent',
    'Coal City Footwear',
    sentValue(ADD, 'businessName'),
    post,
  ),
  reviews('before the server answers', 'Thank you for your review', 'toast', (stage) => {
    stage.holds(ADD);
    return post(stage);
  }),
  reviews('submitted: the star', 0, chosen, post),
  reviews('submitted: the input', '', (stage) => stage.value(TEXT), post),
  reviews('submitted: comments read', 2, callCount('GET /v1/comments'), post),
  reviews('submitted: ratings read', 2, callCount('GET /v1/ratings'), post),
  reviews('ms that its toast stays', 5_000, {
    measure: async (stage) => {
      await star(4)(stage);
      await write('Came in one day.')(stage);
      await stage.stopClock();
      await stage.press('Submit');
      return stage.msOfToast('Thank you for your review');
    },
  }),
  reviews('ratings fail: the comments', "Users' Comments", 'heading', (stage) =>
    stage.answers('GET /v1/ratings', 400, failure()),
  ),
];
