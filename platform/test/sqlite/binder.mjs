// Binds a value of each forbidden type and prints the outcome. libsql itself would end the process.
import { openSql } from '@oja/platform';

const forbidden = {
  true: true,
  false: false,
  undefined: undefined,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  object: {},
  date: new Date(0),
  bytes: new Uint8Array(2),
  'array buffer': new ArrayBuffer(2),
  array: ['a'],
  function: () => 1,
  symbol: Symbol('x'),
  'huge bigint': 2n ** 63n,
  'text with a NUL': 'a\0b',
  'half a surrogate pair': 'a\ud800',
};

const sql = openSql(':memory:', { synchronous: 'FULL' });

function outcome(call, value) {
  try {
    call('SELECT ?', [value]);
    return 'bound';
  } catch (error) {
    return error.name;
  }
}

for (const [kind, value] of Object.entries(forbidden)) {
  const outcomes = [sql.run, sql.get, sql.all].map((call) => outcome(call, value));
  console.log(`${kind}: ${[...new Set(outcomes)].join(', ')}`);
}
console.log(`alive: ${sql.get('SELECT 1 AS one').one}`);
