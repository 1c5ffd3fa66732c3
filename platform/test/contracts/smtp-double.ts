import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface SmtpDouble {
  readonly url: string;
  readonly received: { to: string; raw: string }[];
  /** Every command of every client, in order. */
  readonly commands: string[];
  /** Sets the answer to this command (by default DATA); null: everything is accepted again. */
  refuseWith(answer: string | null, to?: RefusedCommand): void;
  /** How many clients are connected. */
  clients(): number;
  close(): Promise<void>;
}

export type RefusedCommand = 'MAIL FROM' | 'RCPT TO' | 'DATA';

/** A fake SMTP server with as much of the protocol as a mailer needs. */
export async function startSmtpDouble(): Promise<SmtpDouble> {
  const received: { to: string; raw: string }[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  let refusal: string | null = null;
  let refused: RefusedCommand = 'DATA';
  const answerTo = (command: RefusedCommand) => (command === refused ? refusal : null);

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const say = (line: string) => socket.write(`${line}\r\n`);
    let receivers: string[] = [];
    let data: string[] | null = null;
    say('220 double');
    createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      if (data === null) commands.push(line);
      if (data !== null && line === '.') {
        const raw = data.join('\n');
        for (const to of receivers) received.push({ to, raw });
        data = null;
        say('250 taken');
      } else if (data !== null) {
        data.push(line.startsWith('..') ? line.slice(1) : line);
      } else if (/^(EHLO|HELO)/i.test(line)) {
        say('250 double');
      } else if (/^MAIL FROM/i.test(line)) {
        receivers = [];
        say(answerTo('MAIL FROM') ?? '250 ok');
      } else if (/^RCPT TO/i.test(line)) {
        receivers.push(/<(.*)>/.exec(line)?.[1] ?? '');
        say(answerTo('RCPT TO') ?? '250 ok');
      } else if (/^DATA/i.test(line)) {
        if (answerTo('DATA') === null) data = [];
        say(answerTo('DATA') ?? '354 go on');
      } else if (/^QUIT/i.test(line)) {
        socket.end('221 bye\r\n');
      } else {
        say('250 ok');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    commands,
    refuseWith: (answer, to = 'DATA') => {
      refusal = answer;
      refused = to;
    },
    clients: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
