import { LOG_SPACE } from '../../runtime/log-identity.js';
import { MOVING_SPACE } from '../../runtime/move-mark.js';

interface StateSpace {
  readonly moves: boolean;
  /** What it is, and what would happen without it. */
  readonly why: string;
}

/** The spaces of State. A space that this release does not know moves along, so that nothing is lost. */
export const stateSpaces: Readonly<Record<string, StateSpace>> = {
  password: { moves: true, why: 'hashes of passwords, those of one use too: nobody could log in' },
  session: { moves: true, why: 'who is logged in: everybody would have to do it again' },
  'login-known': {
    moves: true,
    why: 'from where people log in: they would be slowed under attack',
  },
  idempotency: { moves: true, why: 'answers given: a request sent again would be done again' },
  letters: { moves: true, why: 'letters sent or settled: they would be sent again' },
  'letters-later': {
    moves: true,
    why: 'letters refused so far: they would be tried from the start',
  },
  'payment-provider': {
    moves: false,
    why: 'whether it refuses the key now: the next answer tells',
  },
  'mail-server': {
    moves: false,
    why: 'what the mail server refuses now: the next round finds out',
  },
  payouts: { moves: true, why: 'transfers asked for: one that is under way would not be followed' },
  refunds: { moves: true, why: 'refunds asked for: one that is under way would not be followed' },
  'refunds-taken': {
    moves: true,
    why: "which of the provider's refunds is which of ours: one could be taken for two",
  },
  'refund-looks': { moves: true, why: 'when a refund under way is asked after next' },
  webhooks: {
    moves: true,
    why: 'what the provider told and was thanked for: it tells nothing twice',
  },
  'payment-checks': { moves: true, why: 'how often a payment was asked after' },
  'failed-accounts': {
    moves: true,
    why: 'at which a transfer failed: its seller would be told again',
  },
  'payout-checks': { moves: true, why: 'which contradicted transfers were asked after today' },
  'dispute-checks': { moves: true, why: 'which disputed payments were asked after today' },
  forgotten: { moves: true, why: 'who was erased with all letters' },
  'forgotten-later': { moves: true, why: 'erasures under way: the next sweep goes on with them' },
  'image-uploads': { moves: true, why: 'pictures that no product has yet, to be cleared away' },
  'image-adopted': { moves: true, why: 'pictures that a product has: they would be cleared away' },
  'payment-sandbox': { moves: true, why: "the books of a demo's payment provider" },
  seed: { moves: true, why: 'that sample goods were made: they would be made again' },

  'letters-walked': {
    moves: false,
    why: 'up to where read models were walked: those are built anew',
  },
  'forgotten-walked': { moves: false, why: 'the same for erasures: all keys are looked at again' },
  reactions: { moves: false, why: 'a place of the old log; set to the end of the new one' },
  behind: { moves: false, why: 'of read models, which are built anew' },
  'read-model-errors': { moves: false, why: 'of read models, which are built anew' },
  replay: { moves: false, why: 'of read models, which are built anew' },
  'rate-limit': { moves: false, why: 'windows of minutes, of a day at most' },
  attempts: { moves: false, why: 'windows of minutes' },
  'image-uploads-by-address': { moves: false, why: 'windows of an hour' },
  'letters-sending': { moves: false, why: 'of processes that run' },
  lease: { moves: false, why: 'of processes that run' },
  leases: { moves: false, why: 'of processes that run' },
  'sweep-lease': { moves: false, why: 'of processes that run' },
  processes: { moves: false, why: 'of processes that run' },
  [LOG_SPACE]: { moves: false, why: 'which log the accounts belong to: the new one has its own' },
  [MOVING_SPACE]: { moves: false, why: 'of this move' },
};

export const isMoved = (space: string): boolean => stateSpaces[space]?.moves ?? true;
