// Keeps a read transaction open on every given database, as a backup or a slow query would, until a
// line on stdin ends it; the connections stay open. Prints 'reading', then 'free'.
import { createInterface } from 'node:readline';
import { openSql } from '@oja/platform';

const connections = process.argv.slice(2).map((file) => openSql(file, { readonly: true }));
for (const sql of connections) {
  sql.exec('BEGIN');
  sql.all('SELECT count(*) AS tables FROM sqlite_schema');
}
console.log('reading');
createInterface({ input: process.stdin }).once('line', () => {
  for (const sql of connections) sql.exec('COMMIT');
  console.log('free');
});
