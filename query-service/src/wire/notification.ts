import type { Notification } from '@oja/contracts';
import {
  type NotificationDocument,
  type NotificationLine,
  noticeMessage,
} from '@oja/contracts/models';
import type { Addresses } from './product.js';

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
