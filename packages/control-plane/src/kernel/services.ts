import type { PasswordHasher } from './ports/passwords.ts'
import type { SessionCache } from '../resources/auth/sessions.ts'
import type { LoginThrottle } from '../resources/auth/throttle.ts'
import type { Consoles } from './ports/consoles.ts'
import type { Volumes } from './ports/volumes.ts'
import type { Native } from './ports/native.ts'
import type { OpenDatabase } from './db/database.ts'
import type { ImportGate } from '../resources/disks/import-gate.ts'
import type { EventFeed } from './events/feed.ts'
import type { Reconciler } from './reconciler.ts'
import type { Outages } from './outages.ts'
import type { Settings } from './settings.ts'

/** The parts a control plane is made of, shared by all calls. */
export interface ControlPlaneServices {
  database: OpenDatabase
  settings: Settings
  clock: () => Date
  passwords: PasswordHasher
  throttle: LoginThrottle
  sessions: SessionCache
  volumes: Volumes
  consoles: Consoles
  reconciler: Reconciler
  feed: EventFeed
  imports: ImportGate
  native: Native
  outages: Outages
}
