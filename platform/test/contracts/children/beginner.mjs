// Begins a transaction on the log, inserts an event, and never commits.
import { openSql } from '@oja/platform';

const sql = openSql(JSON.parse(process.argv[2]).embedded.file, { synchronous: 'FULL' });
sql.exec('BEGIN IMMEDIATE');
sql.run(
  `INSERT INTO events (position, stream, revision, id, type, data, metadata)
   SELECT max(position) + 1, 'half-1', 0, 'half', 'Noted', '{}', '{}' FROM events`,
);
console.log('begun');
setInterval(() => {}, 60_000);
