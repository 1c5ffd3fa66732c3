export { copyDatabase, isBusy, sqliteCode, truncateWal } from './files.js';
export {
  asBuffer,
  type WriteOperation,
  type WriteOperations,
  type WriterModule,
} from './protocol.js';
export {
  checkedParameters,
  ForbiddenParameter,
  openSql,
  type Parameter,
  type Sql,
  type SqlOptions,
} from './sql.js';
export { touch, watch } from './watch.js';
export { startWriter, WriteRefused, type Writer, whyStopped } from './writer.js';
