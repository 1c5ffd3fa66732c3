import { createHash, timingSafeEqual } from 'node:crypto';
import type { TransactionDocument } from '@oja/contracts/models';
import { order } from '../../wire/order.js';
import { openPersonal } from '../../wire/personal.js';
import { complaints, transactionStream } from '../../wire/transaction.js';
import { ok, type QueryHandler, type Tools } from '../handler.js';
import { noOrder } from '../refusals.js';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Takes as long whatever was sent. Digests, since the comparison needs equal lengths. */
const isSame = (one: string, other: string) => timingSafeEqual(digest(one), digest(other));

/** Whether the secret opens the order; never once its key is gone. */
async function opens(
  secret: string,
  document: TransactionDocument,
  sealer: Tools['sealer'],
): Promise<boolean> {
  const stream = transactionStream(document.transactionId);
  const [kept] = await sealer.openMany([{ stream, field: 'secret', value: document.secret }]);
  return typeof kept === 'string' && isSame(kept, secret);
}

/** A wrong secret and an unknown order are answered alike. */
export const getOrder =
  ({ reader, sealer, images, clock }: Tools): QueryHandler<'getOrder'> =>
  async ({ params }) => {
    const [id = '', secret = ''] = params.orderKey.split('.');
    const document = await (await reader.open('transactions')).of('transactions').get(id);
    if (document === null || !(await opens(secret, document, sealer))) return noOrder();
    const [personal = () => null] = await openPersonal(sealer, [complaints(document)]);
    return ok({
      success: true,
      order: order(document, params.orderKey, personal, images, clock.now()),
    });
  };
