import { useLocation } from 'react-router-dom';
import { BarePage } from './BarePage.js';
import { GetInTouch } from './GetInTouch.js';
import { WriteUs } from './WriteUs.js';

export function Component() {
  const { search } = useLocation();
  return (
    <BarePage title="Contact Us">
      <p className="muted intro">
        About an order, a store or anything else. Have your payment reference at hand if it is about
        a payment.
      </p>
      <div className="two">
        <WriteUs key={search} />
        <GetInTouch />
      </div>
    </BarePage>
  );
}
