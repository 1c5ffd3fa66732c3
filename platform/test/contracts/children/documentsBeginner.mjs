// Begins a transaction on the documents, updates the rows, and never commits.
import { openSql } from '@oja/platform';

const sql = openSql(JSON.parse(process.argv[2]).embedded.file, { synchronous: 'NORMAL' });
sql.exec('BEGIN IMMEDIATE');
sql.run(`UPDATE "goods_v1_g1$documents" SET json = '{"half":true}'`);
console.log('begun');
setInterval(() => {}, 60_000);
