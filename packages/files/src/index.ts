/** Files on disk: durable writes, copies, free space, and system errors. */
export { errorCode, errorMessage, isNoSpace } from './errors.ts'
export {
  copySparse,
  freeBytes,
  ifMissing,
  ifThere,
  isZero,
  linkOrCopy,
  openUsable,
  spaceOf,
  readInto,
  syncDirectory,
  writeFully,
  writeNew,
} from './files.ts'
export { type FreeSpace, freeSpace } from './free-space.ts'
export {
  markRestored,
  parseRestored,
  type Restored,
  restoredIn,
  type RestoredPool,
} from './restored.ts'
export { ensureToken, TOKEN_FILE, tokenIn } from './token.ts'
