import { asFlag, type Person } from '@oja/contracts';
import { type Actor, keySubject, OPERATOR, seller, sellerActor } from '@oja/domain';
import { notYours, refuse } from '@oja/http';
import { createSecurityLog } from '@oja/platform';
import { v7 } from 'uuid';
import { readSellerStream } from './accounts/seller-facts.js';
import { contextFor, failedAnswer, missingFieldNames, missingFieldsAnswer } from './commands.js';
import type { Deps, Handler, Handlers } from './deps.js';
import { type Changed, hasChanged, withSecurityLog } from './security-log.js';

type GrantResult =
  /** `changed`: false when nothing had to change. */
  | { readonly ok: true; readonly sellerId: string; readonly changed: boolean }
  | { readonly ok: false; readonly message: string };

type OperatorDeps = Pick<Deps, 'eventStore' | 'handle' | 'logger' | 'operator'>;
type OperatorCommand =
  | { readonly type: 'SetHeadAdmin'; readonly isHeadAdmin: boolean }
  | { readonly type: 'SetSubAdmin'; readonly isSubAdmin: boolean };

async function setRights(
  deps: OperatorDeps,
  sellerId: string,
  command: OperatorCommand,
): Promise<GrantResult> {
  const { facts, known } = await readSellerStream(deps, sellerId);
  if (facts === null) return { ok: false, message: `There is no seller with the id ${sellerId}` };
  const commandId = v7();
  const handled = await deps.handle(
    seller,
    sellerId,
    { ...command, actor: { kind: 'operator' } },
    contextFor({ commandId, correlationId: commandId }, deps.operator ?? OPERATOR),
    known,
  );
  const changed = handled.ok && handled.events.length > 0;
  const isOfHead = command.type === 'SetHeadAdmin';
  // What was so before is no change: a line would tell whoever reads the log that somebody was given rights just now.
  if (changed || !handled.ok)
    createSecurityLog(deps.logger)({
      event: isOfHead ? 'head-admin-changed' : 'sub-admin-changed',
      outcome: handled.ok ? 'granted' : 'refused',
      actor: deps.operator ?? OPERATOR,
      from: null,
      subject: sellerId,
      reason: (isOfHead ? command.isHeadAdmin : command.isSubAdmin) ? 'made' : 'unmade',
    });
  if (handled.ok) return { ok: true, sellerId, changed };
  const message = handled.conflict
    ? 'Somebody else changed this seller; try again'
    : handled.refusal.message;
  return { ok: false, message };
}

/** For an operator at the terminal: the only way to make someone a head admin. */
export const grantHeadAdmin = (deps: OperatorDeps, sellerId: string) =>
  setRights(deps, sellerId, { type: 'SetHeadAdmin', isHeadAdmin: true });

/** For an operator at the terminal: the only way to remove a head admin's rights. */
export const revokeHeadAdmin = (deps: OperatorDeps, sellerId: string) =>
  setRights(deps, sellerId, { type: 'SetHeadAdmin', isHeadAdmin: false });

/** For an operator who erases a seller: removes every right of an admin that the seller has. */
export async function revokeRights(deps: OperatorDeps, sellerId: string): Promise<GrantResult> {
  const revoked = await revokeHeadAdmin(deps, sellerId);
  return revoked.ok
    ? setRights(deps, sellerId, { type: 'SetSubAdmin', isSubAdmin: false })
    : revoked;
}

/** The caller as the domain's actor for a change of rights. */
const commandIssuer = ({ sellerId, role }: Person): Actor => ({
  kind: 'seller',
  sellerId,
  isHeadAdmin: role === 'head-admin',
});

const suspensionOf = { '0': 'active', '1': 'suspended' } as const;

type RightsCall = 'toggleSuspended' | 'updateSubAdmin';
type RequestOf<N extends RightsCall> = Parameters<Handler<N>>[0];

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
      { type: 'ToggleSuspension', wanted, actor: commandIssuer(actor) },
      contextFor(request, sellerActor(actor.sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    const { state, position } = handled;
    if (state.status === 'none') return notYours();
    const { businessName, isSuspended } = state;
    const message = `${businessName} is ${isSuspended ? 'suspended' : 'active again'}`;
    return {
      status: 200,
      body: { success: true, message, is_suspended: asFlag(isSuspended) },
      position,
      changed: hasChanged(handled),
    };
  };

/** A head admin grants or revokes a seller's sub-admin rights. Who was erased is given none. */
const updateSubAdmin =
  ({ handle, keys }: Pick<Deps, 'handle' | 'keys'>) =>
  async (request: RequestOf<'updateSubAdmin'>): Promise<Changed<'updateSubAdmin'>> => {
    const { query, actor } = request;
    const { sellerId, isSubAdmin } = query;
    if (!sellerId || !isSubAdmin)
      return missingFieldsAnswer(missingFieldNames({ sellerId, isSubAdmin }));
    if (isSubAdmin === 'true' && (await keys.isDestroyed(keySubject('seller', sellerId))))
      return refuse(409, 'This seller was erased');
    const handled = await handle(
      seller,
      sellerId,
      { type: 'SetSubAdmin', isSubAdmin: isSubAdmin === 'true', actor: commandIssuer(actor) },
      contextFor(request, sellerActor(actor.sellerId)),
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
