/** The control plane: HTTP API, reconciler and events over a database and a compute engine. */
export { createControlPlane, type ControlPlane, type ControlPlaneOptions } from './control-plane.ts'
export type { FirstCredentials } from './bootstrap.ts'
export { allUses } from './resources/observability/forecasts/history.ts'
export { createSession } from './resources/identity/sessions/sessions.ts'
export { resetPassword, type ResetProblem } from './resources/identity/auth/reset-password.ts'
export { AdminPasswordError } from './bootstrap.ts'
export { ApiError } from './kernel/errors.ts'
export type { CallInfo } from './transport/app.ts'
export type { JsonAnswer } from './transport/response.ts'
export type { Socket, SocketHandler } from './kernel/sockets.ts'
export { OlderSchemaError, TOO_OLD } from './kernel/db/baseline.ts'
export { type DatabaseHost, type Dialect, NewerSchemaError } from './kernel/db/database.ts'
export { OtherEngineError, hasMachines, ownerOf } from './kernel/db/engine-claim.ts'
export { partWith } from './kernel/engine.ts'
export { claimSetting, readSetting, writeSetting } from './kernel/db/setting.ts'
export { UNSYNCED } from './kernel/db/unsynced.ts'
export { openDatabase } from './open-database.ts'
export { type Contents, DATA_TOKEN, inspectDatabase, type Inspection } from './inspect.ts'
export { named } from './kernel/search/name-key.ts'
export { sqliteDialect, uniqueIndex } from './kernel/db/sqlite.ts'
export type { SqliteDatabase } from 'kysely'
export { defaultSettings, type Settings } from './kernel/settings.ts'
export type { Outage } from './kernel/db/database.ts'
export { Extents } from './engines/volumes/extents.ts'
export {
  memoryBlockStore,
  type MemoryBlockStore,
  type VolumeContents,
} from './engines/volumes/memory.ts'
export type { Conflict, Gauge, Instrumentation, StepOutcome } from './kernel/instrumentation.ts'
export type { ServedCertificate } from './resources/identity/certificates/serve.ts'
export {
  type KnownPool,
  type KnownPools,
  knownPools,
} from './resources/storage/storage-pools/known.ts'
export { deriveUsage, RECORDED_SINCE } from './resources/tenancy/usage/recording.ts'
export { GOES_ON } from './resources/tenancy/usage/table.ts'
