export {
  checkCompletely,
  checkForDamage,
  copyDatabase,
  type JsonColumns,
  truncateWal,
} from './files.js';
export {
  spareBytes,
  type WriteOperation,
  type WriteOperations,
  type WriterModule,
} from './protocol.js';
export {
  asBuffer,
  checkedParameters,
  DamagedFile,
  damageIn,
  ForbiddenParameter,
  isBusy,
  isFull,
  openSql,
  type Parameter,
  type Sql,
  type SqlOptions,
  textIn,
  valueIn,
} from './sql.js';
export { notifyWatchers, watch } from './watch.js';
export { SMALL_FILES, startWriter, WriteRefused, type Writer, whyStopped } from './writer.js';
