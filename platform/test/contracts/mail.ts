import type { Letter, Mail } from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** An engine under test, and the letters that it delivered. */
export interface MailUnderTest {
  readonly mail: Mail;
  /** The delivered messages, raw, with their receivers. */
  delivered(): Promise<readonly { readonly to: string; readonly raw: string }[]>;
  close(): Promise<void>;
}

export const letter: Letter = {
  id: '0190a1b2-0000-7000-8000-0123456789ab-receipt-buyer',
  subject: 'transaction:t-1',
  to: 'ada@example.com',
  title: 'Your order: ₦11,500',
  text: 'Thank you.\n.\nA line that is only a dot came before this one.',
  html: '<p>Thank you.</p>',
  replyTo: 'support@oja.example',
};

/** The contract of every engine of the `Mail` port. */
export function mailContract(name: string, open: () => Promise<MailUnderTest>): void {
  describe(`mail: ${name}`, () => {
    let engine: MailUnderTest;
    beforeEach(async () => {
      engine = await open();
    });
    afterEach(() => engine.close());

    it('delivers a letter with all it says', async () => {
      await engine.mail.send(letter);
      const [message, ...others] = await engine.delivered();
      expect(others).toEqual([]);
      expect(message?.to).toBe('ada@example.com');
      const raw = message?.raw ?? '';
      expect(raw).toMatch(/^From: Oja <help@market\.example>\r?$/m);
      expect(raw).toMatch(/^Reply-To: support@oja\.example\r?$/m);
      expect(raw).toMatch(/^Subject: =\?UTF-8\?/m);
      expect(raw.replace(/\r?\n /g, ' ')).toContain(`Message-ID: <${letter.id}@market.example>`);
      expect(raw).toContain('<p>Thank you.</p>');
      expect(raw).toContain('A line that is only a dot');
    });

    it('lets no field smuggle in a header or a second receiver', async () => {
      const title = 'Hello\r\nBcc: eve@example.com';
      await engine.mail.send({ ...letter, title });
      const [message] = await engine.delivered();
      expect(message?.raw).not.toMatch(/^Bcc:/m);
      const two = 'ada@example.com, eve@example.com';
      await engine.mail.send({ ...letter, id: 'other', to: two }).catch(() => undefined);
      const receivers = (await engine.delivered()).map(({ to }) => to);
      expect(receivers).not.toContain('eve@example.com');
    });

    it('reads no file and no address that a letter names', async () => {
      const html = '<img src="file:///etc/hostname"><img src="http://127.0.0.1:9/x.png">';
      await engine.mail.send({ ...letter, html });
      expect((await engine.delivered())[0]?.raw).toContain('file:///etc/hostname');
    });

    it('forgets a subject, also one it never knew', async () => {
      await engine.mail.send(letter);
      await engine.mail.forget(letter.subject);
      await engine.mail.forget('transaction:never');
    });
  });
}
