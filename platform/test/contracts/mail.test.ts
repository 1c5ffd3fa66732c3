import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  completeConfig,
  createLogger,
  createMail,
  LETTER_SENT_WITHIN_MS,
  LetterPutOff,
  LetterRefused,
  openEngines,
  planStart,
} from '@oja/platform';
import { describe, expect, it, vi } from 'vitest';
import { letter, mailContract } from './mail.js';
import { startSmtpDouble } from './smtp-double.js';

const from = 'help@market.example';
const clock = { now: () => Date.UTC(2026, 0, 31, 12) };

function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'oja-mail-'));
  const mail = createMail({ smtpUrl: null, folder, clock, from });
  return { folder, mail, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

async function openSmtp() {
  const server = await startSmtpDouble();
  const mail = createMail({ smtpUrl: server.url, folder: '/nowhere', clock, from });
  return { server, mail };
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
}

mailContract('files', async () => {
  const { folder, mail, remove } = openFolder();
  return {
    mail,
    delivered: async () =>
      filesOf(folder).map((name) => {
        const raw = readFileSync(join(folder, name), 'utf8');
        return { to: /^To: (.*?)\r?$/m.exec(raw)?.[1] ?? '', raw };
      }),
    async close() {
      await mail.close();
      remove();
    },
  };
});

mailContract('SMTP', async () => {
  const { server, mail } = await openSmtp();
  return {
    mail,
    delivered: async () => server.received,
    async close() {
      await mail.close();
      await server.close();
    },
  };
});

describe('letters as files', () => {
  it('lie in one folder a subject, readable by their owner only', async () => {
    const { folder, mail, remove } = openFolder();
    await mail.send(letter);
    await mail.send({ ...letter, id: 'second', subject: 'seller:s-1' });
    expect(filesOf(folder)).toEqual(['seller-s-1/second.eml', `transaction-t-1/${letter.id}.eml`]);
    expect(statSync(join(folder, 'seller-s-1/second.eml')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'seller-s-1/second.eml'), 'utf8')).toContain(
      'Date: Sat, 31 Jan 2026 12:00:00 +0000',
    );
    await mail.forget('transaction:t-1');
    expect(filesOf(folder)).toEqual(['seller-s-1/second.eml']);
    remove();
  });

  it('are written once, also when two write the same at once', async () => {
    const { folder, mail, remove } = openFolder();
    await Promise.all([mail.send(letter), mail.send(letter), mail.send(letter)]);
    await mail.send({ ...letter, text: 'Another text' });
    expect(filesOf(folder)).toHaveLength(1);
    const [name = ''] = filesOf(folder);
    expect(readFileSync(join(folder, name), 'utf8')).not.toContain('Another text');
    remove();
  });

  it('stay in the folder, whatever the ids are', async () => {
    const { folder, mail, remove } = openFolder();
    await mail.send({ ...letter, id: '../../out', subject: '../../../etc' });
    await mail.send({ ...letter, id: '.', subject: '..' });
    expect(filesOf(folder)).toHaveLength(2);
    for (const name of filesOf(folder)) expect(name).toMatch(/^[0-9a-f]{64}\/[0-9a-f]{64}\.eml$/);
    remove();
  });
});

describe('letters over SMTP', () => {
  it.each([
    ['help@market.example', 'help@market.example'],
    // A server of the market's domain refuses senders of another one.
    ['', 'no-reply@market.example'],
  ])('come from the market: SUPPORT_EMAIL=%s', async (SUPPORT_EMAIL, sender) => {
    const server = await startSmtpDouble();
    const dataDir = mkdtempSync(join(tmpdir(), 'oja-sender-'));
    const plan = planStart(
      {
        DATA_DIR: dataDir,
        PUBLIC_URL: 'https://market.example',
        PAYSTACK_SECRET: 'sk_test_1',
        TOKEN_SECRET: 't'.repeat(32),
        KEYS_MASTER_KEY: 'ab'.repeat(32),
        SMTP_URL: server.url,
        SUPPORT_EMAIL,
      },
      { everything: true },
    );
    const config = plan.ok ? completeConfig(plan.value, dataDir) : plan;
    if (!config.ok) throw new Error(config.problems.join('; '));
    const engines = await openEngines(config.value, {
      clock,
      logger: createLogger({ level: 'silent', service: 'test' }),
      sandboxOrigin: '',
    });
    await engines.mail.send(letter);
    await engines.close();
    await server.close();
    rmSync(dataDir, { recursive: true });
    expect(server.received.map(({ raw }) => /^From: .*<(.*)>$/m.exec(raw)?.[1])).toEqual([sender]);
  });

  it('that the server does not take are not taken for sent', async () => {
    const { server, mail } = await openSmtp();
    server.refuseWith('451 later');
    await expect(mail.send(letter)).rejects.toThrow('451');
    server.refuseWith(null);
    await mail.send(letter);
    expect(server.received).toHaveLength(1);
    await mail.close();
    await server.close();
  });

  it.each([
    ['550 no such user here', 'RCPT TO', LetterRefused],
    ['552 too large', 'DATA', LetterRefused],
    ['450 mailbox busy', 'RCPT TO', LetterPutOff],
    ['452 mailbox full', 'DATA', LetterPutOff],
    // The server ends the session, whatever the letter is.
    ['421 shutting down', 'RCPT TO', Error],
    // The server refuses the sender and so every letter: the settings are wrong, not this letter.
    ['550 who are you', 'MAIL FROM', Error],
    ['451 later', 'MAIL FROM', Error],
  ] as const)('that are answered %s to %s', async (answer, to, kind) => {
    const { server, mail } = await openSmtp();
    server.refuseWith(answer, to);
    const failed = await mail.send(letter).catch((error: unknown) => error);
    const kinds = [LetterRefused, LetterPutOff].filter((each) => failed instanceof each);
    expect(failed).toBeInstanceOf(Error);
    expect(kinds).toEqual(kind === Error ? [] : [kind]);
    await mail.close();
    await server.close();
  });

  it('are given up, and the connection closed, where the server never ends an answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { server, mail } = await openSmtp();
    server.refuseWith('250-one moment', 'RCPT TO');
    const failed = mail.send(letter).catch((error: unknown) => error);
    await vi.waitFor(() => expect(server.commands.at(-1)).toMatch(/^RCPT TO/));
    vi.advanceTimersByTime(LETTER_SENT_WITHIN_MS);
    vi.useRealTimers();
    expect(await failed).toMatchObject({ message: 'the mail server took longer than 300 seconds' });
    await vi.waitFor(() => expect(server.clients()).toBe(0));
    expect(server.received).toEqual([]);
    await mail.close();
    await server.close();
  });

  it('are given up at once when they are told to', async () => {
    const { server, mail } = await openSmtp();
    server.refuseWith('250-one moment', 'RCPT TO');
    const ending = new AbortController();
    const failed = mail.send(letter, ending.signal).catch((error: unknown) => error);
    await vi.waitFor(() => expect(server.commands.at(-1)).toMatch(/^RCPT TO/));
    ending.abort();
    expect(await failed).toMatchObject({ message: 'the mail server did not answer in time' });
    await vi.waitFor(() => expect(server.clients()).toBe(0));
    await expect(mail.send(letter, ending.signal)).rejects.toThrow();
    await mail.close();
    await server.close();
  });
});
