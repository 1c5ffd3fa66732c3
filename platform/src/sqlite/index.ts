export { isBusy, sqliteCode } from './failures.js';
export { copyDatabase, truncateWal } from './files.js';
export {
  asBuffer,
  type WriteOperation,
  type WriteOperations,
  type WriterModule,
} from './operations.js';
export { checkedParameters, ForbiddenParameter, type Parameter } from './parameters.js';
export { openSql, type Sql, type SqlOptions } from './sql.js';
export { touch, watch } from './watch.js';
export { startWriter, WriteRefused, type Writer, whyStopped } from './writer.js';
