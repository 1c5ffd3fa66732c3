const inLagos = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Africa/Lagos',
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** An ISO 8601 instant in Lagos time: '21-11-2026 09:41'. Label it as Lagos time wherever it is shown. */
export function lagosTime(iso: string): string {
  return inLagos.format(new Date(iso)).replaceAll('/', '-').replace(', ', ' ');
}
