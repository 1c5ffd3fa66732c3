import { noticeTime } from '@oja/domain/rules';
import type { Notification } from '../../api/types.js';
import { Picture } from '../../ui/Picture.js';

interface NoticeProps {
  readonly item: Notification['items'][number];
  /** ISO 8601. */
  readonly at: string;
}

/** One of the ordered goods: name, quantity, when, and its first picture. */
export function Notice({ item, at }: NoticeProps) {
  return (
    <li className="new">
      <Picture url={item.image_url ?? undefined} alt="" width={64} sizes="64px" />
      <div className="grow">
        <p className="k">New order</p>
        <b>{item.prod_name}</b>
        <p className="muted small num nq">
          <span>Quantity {item.quantity}</span>
          <time dateTime={at}>{noticeTime(at)} UTC</time>
        </p>
      </div>
      <i className="newdot" role="img" aria-label="New" />
    </li>
  );
}
