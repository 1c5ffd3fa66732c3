import { seller } from '@oja/domain';
import { createSecurityLog, OPERATOR } from '@oja/platform';
import { v7 } from 'uuid';
import { contextOf } from '../commands.js';
import type { Deps } from '../deps.js';
import { sellerIdByName } from './names.js';

export type GrantResult =
  /** `changed`: false where it was so already. */
  | { readonly ok: true; readonly sellerId: string; readonly changed: boolean }
  | { readonly ok: false; readonly message: string };

async function setHeadAdmin(
  deps: Pick<Deps, 'load' | 'handle' | 'logger'>,
  businessName: string,
  isHeadAdmin: boolean,
): Promise<GrantResult> {
  const sellerId = await sellerIdByName(deps, businessName);
  if (sellerId === null) return { ok: false, message: `There is no seller called ${businessName}` };
  const commandId = v7();
  const handled = await deps.handle(
    seller,
    sellerId,
    { type: 'SetHeadAdmin', isHeadAdmin, actor: { kind: 'operator' } },
    contextOf({ commandId, correlationId: commandId }, 'operator'),
  );
  createSecurityLog(deps.logger)({
    event: 'head-admin-changed',
    outcome: handled.ok ? 'granted' : 'refused',
    ...{ actor: OPERATOR, from: null, subject: sellerId },
    reason: isHeadAdmin ? 'made' : 'unmade',
  });
  if (handled.ok) return { ok: true, sellerId, changed: handled.events.length > 0 };
  const message = handled.conflict
    ? 'Somebody else changed this seller; try again'
    : handled.refusal.message;
  return { ok: false, message };
}

/** For an operator at the terminal: the only way to make a head admin. */
export const grantHeadAdmin = (
  deps: Pick<Deps, 'load' | 'handle' | 'logger'>,
  businessName: string,
) => setHeadAdmin(deps, businessName, true);

/** For an operator at the terminal: the only way to unmake one. */
export const revokeHeadAdmin = (
  deps: Pick<Deps, 'load' | 'handle' | 'logger'>,
  businessName: string,
) => setHeadAdmin(deps, businessName, false);
