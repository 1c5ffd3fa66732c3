// Takes the write lock of a file, prints 'held', and keeps the lock until it is killed.
import { openSql } from '@oja/platform';

openSql(process.argv[2], { synchronous: 'FULL' }).exec('BEGIN IMMEDIATE');
console.log('held');
setInterval(() => {}, 60_000);
