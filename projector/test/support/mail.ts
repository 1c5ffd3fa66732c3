import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createEmbeddedKeys,
  createEmbeddedState,
  createReadModels,
  createSealer,
  type Documents,
  type Keys,
  type Letter,
  type Sealer,
  type State,
} from '@oja/platform';
import { createMailer } from '../../src/mail/mailer.js';
import { createRound } from '../../src/mail/service.js';
import { quiet } from './shop.js';

/** Keys and state in a temporary folder. */
export interface Stores {
  readonly keys: Keys;
  readonly state: State;
  readonly sealer: Sealer;
  /** Closes both and removes the folder. */
  close(): Promise<void>;
}

export async function openStores(): Promise<Stores> {
  const folder = mkdtempSync(join(tmpdir(), 'oja-projector-'));
  const keys = await createEmbeddedKeys({
    file: join(folder, 'keys'),
    masterKey: Buffer.alloc(32, 7),
  });
  const state = await createEmbeddedState({ file: join(folder, 'state') });
  return {
    keys,
    state,
    sealer: createSealer(keys),
    async close() {
      await Promise.all([keys.close(), state.close()]);
      rmSync(folder, { recursive: true });
    },
  };
}

/** The mailer and the round of a newly started projector; `send` and `forget` stand in for where letters go. */
export function lettersOf({
  send,
  forget = async () => {},
  now,
  supportEmail = 'help@oja.example',
  ...stores
}: Pick<Stores, 'state' | 'sealer' | 'keys'> & {
  readonly documents: Documents;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly send: (letter: Letter) => Promise<void>;
  readonly forget?: (subject: string) => Promise<void>;
  readonly supportEmail?: string | null;
}) {
  const options = {
    ...stores,
    readModels: createReadModels(stores.documents),
    clock: { now },
    mail: { send, forget, close: async () => {} },
    logger: quiet,
  };
  const publicUrl = 'http://localhost:8080';
  const mailer = createMailer({ ...options, publicUrl, supportEmail });
  return { mailer, round: createRound({ ...options, mailer }) };
}
