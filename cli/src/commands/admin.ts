import { grantHeadAdmin, revokeHeadAdmin } from '@oja/command-service';
import { withContext } from '../runtime/context.js';
import { operatorOf } from '../runtime/operator.js';
import { Exit, exitCodes } from '../terminal/exit.js';
import { type Output, show } from '../terminal/output.js';
import { presentSeller, sellerNamed } from './shared/sellers.js';

const set = (isHeadAdmin: boolean) => (text: string, options: Output) =>
  withContext(async (context) => {
    // Rights that an erased seller was left with can still be taken away.
    const find = isHeadAdmin ? presentSeller : sellerNamed;
    const { sellerId, businessName } = await find(context, text);
    const change = isHeadAdmin ? grantHeadAdmin : revokeHeadAdmin;
    const { eventStore } = context.engines;
    const { handle, logger } = context;
    const deps = { ...handle, eventStore, logger, operator: operatorOf() };
    const result = await change(deps, sellerId);
    if (!result.ok) throw new Exit(exitCodes.usage, `${result.message}.`);
    const { changed } = result;
    const now = isHeadAdmin ? 'is a head admin' : 'is no head admin';
    show<'admin grant' | 'admin revoke'>(options, { sellerId, isHeadAdmin, changed }, () => [
      `${businessName} ${now}${changed ? '' : ' already'}.`,
    ]);
  });

export const grant = set(true);
export const revoke = set(false);
