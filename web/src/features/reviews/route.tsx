import { Screen } from '../../app/Screen.js';
import '../../styles/parts/reviews.css';
import { Comments } from './Comments.js';
import { Histogram } from './Histogram.js';
import { ReviewForm } from './ReviewForm.js';
import './reviews.css';

/** What people say of the market, and a place to say it. */
export function Component() {
  return (
    <Screen title="Ratings and reviews" className="page">
      <h1 className="revhead">Ratings and reviews</h1>
      <div className="two rev">
        <aside className="stack">
          <Histogram />
          <ReviewForm />
        </aside>
        <Comments />
      </div>
    </Screen>
  );
}
