/** The control plane: HTTP API, reconciler and events over a database and a compute engine. */
export { createControlPlane, type ControlPlane, type ControlPlaneOptions } from './control-plane.ts'
export type { FirstCredentials } from './bootstrap.ts'
export { allUses } from './resources/forecasts/history.ts'
export { createSession } from './resources/sessions/sessions.ts'
export { resetPassword, type ResetProblem } from './resources/auth/reset-password.ts'
export { AdminPasswordError } from './bootstrap.ts'
export { ApiError } from './kernel/errors.ts'
export type { PasswordHasher } from './kernel/ports/passwords.ts'
export type { CallInfo } from './transport/app.ts'
export type { JsonAnswer } from './transport/response.ts'
export type { Socket, SocketHandler } from './kernel/sockets.ts'
export { type DatabaseHost, type Dialect, NewerSchemaError } from './kernel/db/database.ts'
export { UNSYNCED } from './kernel/db/unsynced.ts'
export { openDatabase } from './open-database.ts'
export { named } from './kernel/search/name-key.ts'
export { sqliteDialect, uniqueIndex } from './kernel/db/sqlite.ts'
export type { SqliteDatabase } from 'kysely'
export { defaultSettings, type Settings } from './kernel/settings.ts'
export { createSimulatedEngines, type SimulatedEngines } from './engines/simulated/engines.ts'
export { simulatedHistory } from './engines/simulated/measurements/history.ts'
export type { SimulatedOptions } from './engines/simulated/options.ts'
export type { Outage } from './kernel/db/database.ts'
export {
  type ProviderMetadata,
  type Saml,
  SamlError,
  type SamlResponse,
  type SignedAssertion,
  type SigningKeyPair,
  type SubjectConfirmation,
} from './kernel/ports/saml.ts'
export type { Diagnostics, LogPart } from './kernel/ports/diagnostics.ts'
export type { Sent, Webhooks } from './kernel/ports/webhooks.ts'
export type { Reserve } from './kernel/ports/reserve.ts'
export type { EngineParts, Engines } from './kernel/ports/engines.ts'
export {
  type BlockStore,
  DamagedBytes,
  type Extent,
  NoSpaceError,
  type Pace,
} from './kernel/ports/block-store.ts'
export { Extents } from './engines/volumes/extents.ts'
export { memoryBlockStore } from './engines/volumes/memory.ts'
export { type MemoryOptions, memoryTimeSeries } from './engines/time-series/memory.ts'
export {
  aheadMessage,
  type TimeSeriesStatus,
  type TimeSeriesStore,
  TimeSeriesUnavailable,
} from './kernel/ports/time-series.ts'
export { decodeBase64, endsWell } from './kernel/ports/base64.ts'
export type { Conflict, Gauge, Measures, StepOutcome } from './kernel/measures.ts'
export { type Digest, type Native, portable } from './kernel/ports/native.ts'
export type { ServedCertificate } from './resources/certificates/serve.ts'
