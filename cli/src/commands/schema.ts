import { z } from 'zod';
import { type Answer, answers, failure } from '../answers/index.js';
import { usageExit } from '../terminal/exit.js';
import { formatTable, type Output, printAnswer, printJson } from '../terminal/output.js';
import { unknownName } from '../terminal/usage.js';

/** JSON Schema, draft 2020-12. */
function jsonSchemaOf(
  title: string,
  schema: z.ZodType,
): Extract<Answer<'schema'>, { $schema: string }> {
  const { $schema = '', ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12' });
  return { $schema, title, ...rest };
}

function list(options: Output): void {
  const commands = Object.entries(answers).map(([command, { perLine = false }]) => ({
    command,
    perLine,
  }));
  printAnswer<'schema'>(options, commands, () =>
    formatTable([
      ['command', 'prints with --json'],
      ...commands.map(({ command, perLine }) => [
        command,
        perLine ? 'one JSON text per line' : 'one JSON text',
      ]),
    ]),
  );
}

/** Prints the JSON Schema of a command's --json output; without a name, lists the commands that have one. */
export async function schema(
  words: readonly string[],
  { error = false, json = false }: Output & { readonly error?: boolean },
): Promise<void> {
  const indent = json ? 0 : 2;
  const name = words.join(' ');
  if (error && name !== '') throw usageExit(`Say --error or '${name}', and not both.`);
  if (error)
    return printJson<'schema'>(jsonSchemaOf('oja … --json, where it fails', failure), indent);
  if (name === '') return list({ json });
  const answer = answers[name];
  if (answer === undefined) throw unknownName('command with --json', name, Object.keys(answers));
  const title = `oja ${name} --json${answer.perLine ? ', each line' : ''}`;
  printJson<'schema'>(jsonSchemaOf(title, answer.schema), indent);
}
