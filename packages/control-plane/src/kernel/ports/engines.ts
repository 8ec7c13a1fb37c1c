import type { OpenDatabase } from '../db/database.ts'
import type { Settings } from '../settings.ts'
import type { Consoles } from './consoles.ts'
import type { Hardware, HardwareSimulation } from './hardware.ts'
import type { Machines } from './machines.ts'
import type { Multicast } from './multicast.ts'
import type { Networks } from './networks.ts'
import type { Uplinks } from './uplinks.ts'
import type { PowerShelf } from './power-shelf.ts'
import type { Volumes } from './volumes.ts'

/** The engines behind the ports; each host chooses them. */
export interface Engines {
  hardware: Hardware
  /** Only engines whose hardware is simulated have it. */
  simulation?: HardwareSimulation
  machines: Machines
  volumes: Volumes
  consoles: Consoles
  uplinks: Uplinks
  multicast: Multicast
  power: PowerShelf
}

/** What the control plane passes to its engines. */
export interface EngineParts {
  database: OpenDatabase
  clock: () => Date
  log: Settings['log']
  networks: Networks
}
