import { planOrExit } from '../../runtime/open-data.js';
import { Exit, exitCodes } from '../../terminal/exit.js';
import { Interrupted, interruptSignal } from '../../terminal/interrupt.js';
import { fitted, type Output, paint, say, sayJson } from '../../terminal/output.js';
import { refuseElsewhere } from '../backup/index.js';
import { partsAt } from '../backup/storage.js';
import { drill, type Step } from './drill.js';

interface Options extends Output {
  readonly in: string;
  readonly from?: string;
  readonly keys?: string;
}

function sayStep({ step, ok, seconds, told }: Step): void {
  const head = `${step.padEnd(8)}${`${seconds.toFixed(1)} s`.padStart(8)}  `;
  const [first = '', ...more] = fitted(told, ' '.repeat(head.length));
  const lines = [`${head}${first.trimStart()}`, ...more];
  for (const line of lines) say(ok ? line : paint.bad(line));
}

export async function runDrill(options: Options): Promise<void> {
  const plan = planOrExit(process.env, true);
  refuseElsewhere(plan, 'backup', 'Nothing was copied');
  if (options.keys !== undefined && options.from === undefined)
    throw new Exit(
      exitCodes.usage,
      '--keys belongs to an existing backup: name that backup with --from.',
    );
  const signal = interruptSignal();
  const onStep = options.json ? () => {} : sayStep;
  const from = options.from === undefined ? null : partsAt(options.from, options);
  const steps = await drill(plan, options.in, from, signal, onStep).catch((error: unknown) => {
    // The usual message promises to go on, but a drill always begins anew.
    if (error instanceof Interrupted) throw new Interrupted('Stopped; the copies are deleted.');
    throw error;
  });
  const ok = steps.every((step) => step.ok);
  const seconds = steps.reduce((sum, step) => sum + step.seconds, 0);
  if (options.json) sayJson<'drill'>({ ok, seconds, steps });
  else if (ok) say(`${paint.good('The market can be restored')}; the copies are deleted.`);
  else say(`${paint.bad('Not everything succeeded')}; the copies are deleted.`);
  if (!ok) process.exitCode = exitCodes.failed;
}
