import { inbox } from '@oja/domain';
import { factId, following } from '../checkout/commands.js';
import type { Deps } from '../deps.js';

/** Who said so, in metadata. */
const PUSH_SERVICE = 'push-service';

/** A browser that its push service does not know any more, as the push about an event was told. */
export interface GoneBrowser {
  readonly eventId: string;
  readonly sellerId: string;
  readonly subscriptionId: string;
}

/** Takes it out of the seller's subscriptions. @throws when others wrote there all the time: try again. */
export async function forgetPush(
  { handle }: Pick<Deps, 'handle'>,
  { eventId, sellerId, subscriptionId }: GoneBrowser,
): Promise<void> {
  const handled = await handle(
    inbox,
    sellerId,
    { type: 'UnsubscribePush', sellerId, subscriptionId },
    following(factId('forget-push', eventId, sellerId, subscriptionId), PUSH_SERVICE),
  );
  if (!handled.ok) throw new Error('the subscription could not be taken out');
}
