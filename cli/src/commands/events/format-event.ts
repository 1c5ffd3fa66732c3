import type { Json, JsonObject, RecordedEvent, SealedValue } from '@oja/platform';
import { jsonText, paint } from '../../terminal/output.js';

/** A position as people see it, without its leading zeros. */
export const formatPosition = (position: string): string => position.replace(/^0+(?=\d)/, '');

/** Whether a value of an event is sealed personal data. */
export function isSealed(value: Json | undefined): value is JsonObject & SealedValue {
  return (
    typeof value === 'object' &&
    value !== null &&
    'sealed' in value &&
    typeof value.sealed === 'string' &&
    'subject' in value &&
    typeof value.subject === 'string'
  );
}

/** Printed in place of a sealed personal value. */
export const SEALED = '(sealed)';

/** A deep copy with SEALED in place of sealed values, whose ciphertext helps nobody at a terminal. */
export const withoutSealed = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, part: Json | undefined) => (isSealed(part) ? SEALED : part)),
  );

/** One event on one line: position, time, stream and revision, type, actor, and data. */
export function formatEvent({
  position,
  stream,
  revision,
  type,
  data,
  metadata,
}: RecordedEvent): string {
  const where = `${formatPosition(position)}  ${metadata.time}  ${stream}@${revision}`;
  const body = jsonText(withoutSealed(data));
  return `${paint.dim(where)}  ${type}  ${metadata.actor}  ${body}`;
}
