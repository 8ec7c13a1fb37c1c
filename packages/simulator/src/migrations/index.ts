/**
 * The migrations of the simulated rack, in the order in which they run, among those of the control
 * plane. A new one is recorded by the name of its file; those up to 0.2.0 are by numbers.
 */
import type { Migrations } from '@steading/control-plane/engine'
import { up as simulatedBoots } from './2026-11-22-simulated-boots.ts'
import { up as simulatedListeners } from './2026-11-22-simulated-listeners.ts'
import { up as simulatedHardware } from './2026-11-22-simulated-hardware.ts'
import { up as simulatedOutages } from './2026-11-22-simulated-outages.ts'
import { up as simulatedMulticast } from './2026-11-22-simulated-multicast.ts'
import { up as simulatedUpdates } from './2026-11-23-simulated-updates.ts'
import { up as simulatedPower } from './2026-11-23-simulated-power.ts'
import { up as simulatedLoads } from './2026-11-23-simulated-loads.ts'
import { up as simulatedHosts } from './2026-12-17-simulated-hosts.ts'
import { up as simulatedCuts } from './2026-12-19-simulated-cuts.ts'

import { up as pools } from './2026-12-19-simulated-pools.ts'

export const simulatedMigrations: Migrations = {
  '0014-simulated-boots': simulatedBoots,
  '0047-simulated-listeners': simulatedListeners,
  '0050-simulated-hardware': simulatedHardware,
  '0063-simulated-outages': simulatedOutages,
  '0069-simulated-multicast': simulatedMulticast,
  '0078-simulated-updates': simulatedUpdates,
  '0087-simulated-power': simulatedPower,
  '0088-simulated-loads': simulatedLoads,
  '2026-12-17-simulated-hosts': simulatedHosts,
  '2026-12-19-simulated-cuts': simulatedCuts,
  '2026-12-19-simulated-pools': pools,
}
