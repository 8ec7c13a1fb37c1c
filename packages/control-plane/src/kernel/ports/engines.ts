import type { OpenDatabase } from '../db/database.ts'
import type { Settings } from '../settings.ts'
import type { Consoles } from './consoles.ts'
import type { Machines } from './machines.ts'
import type { Volumes } from './volumes.ts'

/** What stands behind the ports; each host chooses. */
export interface Engines {
  machines: Machines
  volumes: Volumes
  consoles: Consoles
}

/** What a control plane gives the engines it is put together with. */
export interface EngineParts {
  database: OpenDatabase
  clock: () => Date
  log: Settings['log']
}
