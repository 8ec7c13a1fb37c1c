/**
 * Building blocks for engines besides the ports: rows in the database of the control plane, leases
 * for work that one server does at a time, consoles with their viewers, and volumes over a block
 * store. An engine adds its tables to `Database`.
 */
export { afterAbout } from './kernel/beat.ts'
export { bootName, Console } from './engines/consoles/console.ts'
export { KEPT_BYTES } from './engines/consoles/console-buffer.ts'
export { Extents } from './engines/volumes/extents.ts'
export { createBlockVolumes } from './engines/volumes/volumes.ts'
export { endDamage, noteDamage } from './kernel/damage.ts'
export { composeEngine, partsWithout } from './kernel/engine.ts'
export { ApiError, fail } from './kernel/errors.ts'
export { fewPerTurn, yieldToEventLoop } from './kernel/event-loop.ts'
export type { Db, Dialect, Migrations, OpenDatabase, Tx } from './kernel/db/database.ts'
export { type Earlier, jsonColumn } from './kernel/db/json-column.ts'
export { admit, StaleFence } from './kernel/db/fences.ts'
export {
  databaseTime,
  LEASE_MS,
  leaseIsOver,
  onlyHere,
  releaseLease,
  RENEW_MS,
  renewLease,
  takeLease,
  withLease,
} from './kernel/db/leases.ts'
export { allInPages, inPages } from './kernel/db/pages.ts'
export * from './kernel/db/schema.ts'
export { claimSetting, readSetting, writeSetting } from './kernel/db/setting.ts'
export { createTaskLease, type TaskLease } from './kernel/task-lease.ts'
export { unsynced } from './kernel/db/unsynced.ts'
export { index, table } from './migrations/build.ts'
