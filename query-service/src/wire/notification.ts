import type { Notification } from '@oja/contracts';
import type { NotificationDocument, NotificationLine } from '@oja/contracts/models';
import type { Addresses } from './product.js';

/** 'New order for:Bag,Shoe': the names behind the colon, as everything in a notice is spelled. */
export const noticeMessage = (lines: readonly NotificationLine[]): string =>
  `New order for${listed(lines, ({ name }) => name)}`;

function listed(
  lines: readonly NotificationLine[],
  value: (line: NotificationLine) => string | number,
): string {
  return `:${lines.map(value).join(',')}`;
}

export function notification(
  { lines, createdAt }: NotificationDocument,
  images: Addresses,
): Notification {
  return {
    message: noticeMessage(lines),
    prod_id: listed(lines, ({ productId }) => productId),
    quantity: listed(lines, ({ quantity }) => quantity),
    created_at: createdAt,
    items: lines.map(({ productId, name, quantity, image }) => ({
      product_id: productId,
      prod_name: name,
      quantity,
      image_url: image === null ? null : images.address(image),
    })),
  };
}
