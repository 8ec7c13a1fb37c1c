import type { PasswordHasher } from './authn/passwords.ts'
import type { SessionCache } from './authn/sessions.ts'
import type { LoginThrottle } from './authn/throttle.ts'
import type { ComputeEngine } from './compute/engine.ts'
import type { Native } from './compute/volumes/native.ts'
import type { OpenDatabase } from './db/database.ts'
import type { ImportGate } from './disks/import-gate.ts'
import type { EventFeed } from './events/feed.ts'
import type { Reconciler } from './reconcile/reconciler.ts'
import type { Settings } from './settings.ts'

/** The parts a control plane is made of, shared by all calls. */
export interface ControlPlaneServices {
  database: OpenDatabase
  settings: Settings
  clock: () => Date
  passwords: PasswordHasher
  throttle: LoginThrottle
  sessions: SessionCache
  engine: ComputeEngine
  reconciler: Reconciler
  feed: EventFeed
  imports: ImportGate
  native: Native
}
