/** Files on disk: durable writes, copies, the room that is left, and the errors of the system. */
export { errorCode, errorMessage, isNoSpace } from './errors.ts'
export {
  copySparse,
  freeBytes,
  ifMissing,
  ifThere,
  isZero,
  linkOrCopy,
  openUsable,
  readInto,
  syncDirectory,
  writeFully,
  writeNew,
} from './files.ts'
