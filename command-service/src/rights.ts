import type { Person } from '@oja/contracts';
import { type Actor, OPERATOR, seller, sellerActor } from '@oja/domain';
import { notYours } from '@oja/http';
import { createSecurityLog } from '@oja/platform';
import { v7 } from 'uuid';
import { sellerByName } from './accounts/names.js';
import { contextOf, failedAnswer, missingFieldsAnswer, missingOf } from './commands.js';
import type { Deps, Handler, Handlers } from './deps.js';
import { withSecurityLog } from './security-log.js';

type GrantResult =
  /** `changed`: false when nothing had to change. */
  | { readonly ok: true; readonly sellerId: string; readonly changed: boolean }
  | { readonly ok: false; readonly message: string };

async function setHeadAdmin(
  deps: Pick<Deps, 'load' | 'eventStore' | 'handle' | 'logger' | 'operator'>,
  businessName: string,
  isHeadAdmin: boolean,
): Promise<GrantResult> {
  const found = await sellerByName(deps, businessName);
  if (found === null) return { ok: false, message: `There is no seller called ${businessName}` };
  const { sellerId } = found.facts.state;
  const commandId = v7();
  const handled = await deps.handle(
    seller,
    sellerId,
    { type: 'SetHeadAdmin', isHeadAdmin, actor: { kind: 'operator' } },
    contextOf({ commandId, correlationId: commandId }, deps.operator ?? OPERATOR),
    found.known,
  );
  const changed = handled.ok && handled.events.length > 0;
  // What was so before is no change: a line would tell whoever reads the log that somebody was given rights just now.
  if (changed || !handled.ok)
    createSecurityLog(deps.logger)({
      event: 'head-admin-changed',
      outcome: handled.ok ? 'granted' : 'refused',
      actor: deps.operator ?? OPERATOR,
      from: null,
      subject: sellerId,
      reason: isHeadAdmin ? 'made' : 'unmade',
    });
  if (handled.ok) return { ok: true, sellerId, changed };
  const message = handled.conflict
    ? 'Somebody else changed this seller; try again'
    : handled.refusal.message;
  return { ok: false, message };
}

/** For an operator at the terminal: the only way to make someone a head admin. */
export const grantHeadAdmin = (
  deps: Pick<Deps, 'load' | 'eventStore' | 'handle' | 'logger' | 'operator'>,
  businessName: string,
) => setHeadAdmin(deps, businessName, true);

/** For an operator at the terminal: the only way to remove a head admin's rights. */
export const revokeHeadAdmin = (
  deps: Pick<Deps, 'load' | 'eventStore' | 'handle' | 'logger' | 'operator'>,
  businessName: string,
) => setHeadAdmin(deps, businessName, false);

/** The caller as the domain's actor for a change of rights. */
const askedBy = ({ sellerId, role }: Person): Actor => ({
  kind: 'seller',
  sellerId,
  isHeadAdmin: role === 'head-admin',
});

const suspensionOf = { '0': 'active', '1': 'suspended' } as const;

type RightsCall = 'toggleSuspended' | 'updateSubAdmin';
type RequestOf<N extends RightsCall> = Parameters<Handler<N>>[0];
/** The answer to a call, and whether it has changed anything: what was so before was given to nobody just now. */
type Changed<N extends RightsCall> = Awaited<ReturnType<Handler<N>>> & {
  readonly changed?: boolean;
};

const hasChanged = (handled: { readonly repeated: boolean; readonly events: readonly unknown[] }) =>
  !handled.repeated && handled.events.length > 0;

/** A head admin suspends or reinstates a seller. */
const toggleSuspended =
  ({ handle }: Pick<Deps, 'handle'>) =>
  async (request: RequestOf<'toggleSuspended'>): Promise<Changed<'toggleSuspended'>> => {
    const { params, query, actor } = request;
    const asked = query.is_suspended;
    const wanted = asked === undefined ? undefined : suspensionOf[asked];
    const handled = await handle(
      seller,
      params.userId,
      { type: 'ToggleSuspension', wanted, actor: askedBy(actor) },
      contextOf(request, sellerActor(actor.sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    const { state, position } = handled;
    if (state.status === 'none') return notYours();
    const { businessName, isSuspended } = state;
    const message = `${businessName} is ${isSuspended ? 'suspended' : 'active again'}`;
    return {
      status: 200,
      body: { success: true, message, is_suspended: isSuspended ? 1 : 0 },
      position,
      changed: hasChanged(handled),
    };
  };

/** A head admin grants or revokes a seller's sub-admin rights. */
const updateSubAdmin =
  ({ handle }: Pick<Deps, 'handle'>) =>
  async (request: RequestOf<'updateSubAdmin'>): Promise<Changed<'updateSubAdmin'>> => {
    const { query, actor } = request;
    const { sellerId, isSubAdmin } = query;
    if (!sellerId || !isSubAdmin) return missingFieldsAnswer(missingOf({ sellerId, isSubAdmin }));
    const handled = await handle(
      seller,
      sellerId,
      { type: 'SetSubAdmin', isSubAdmin: isSubAdmin === 'true', actor: askedBy(actor) },
      contextOf(request, sellerActor(actor.sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    const { state, position } = handled;
    if (state.status === 'none') return notYours();
    const message = `${state.businessName} is ${state.isSubAdmin ? 'an admin now' : 'no longer an admin'}`;
    const changed = hasChanged(handled);
    return { status: 200, body: { success: true, message }, position, changed };
  };

export const rightsHandlers = (deps: Deps) =>
  ({
    toggleSuspended: withSecurityLog(deps, 'suspension-changed', toggleSuspended(deps), {
      granted: ({ body, changed }, { actor, params }) =>
        changed === true
          ? {
              actor: actor.sellerId,
              subject: params.userId,
              reason: body.is_suspended === 1 ? 'suspended' : 'reinstated',
            }
          : null,
    }),
    updateSubAdmin: withSecurityLog(deps, 'sub-admin-changed', updateSubAdmin(deps), {
      granted: ({ changed }, { actor, query }) =>
        changed === true
          ? {
              actor: actor.sellerId,
              ...(query.sellerId !== undefined && { subject: query.sellerId }),
              reason: query.isSubAdmin === 'true' ? 'made' : 'unmade',
            }
          : null,
    }),
  }) satisfies Partial<Handlers>;
