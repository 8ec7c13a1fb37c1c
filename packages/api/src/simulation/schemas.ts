import { array, boolean, integer, record, string, uint8 } from '../schema.ts'
import { SwitchSlot } from '../switches/schemas.ts'

export const SimulatedPower = record('SimulatedPower', { on: boolean })
export const SimulatedHealth = record('SimulatedHealth', { healthy: boolean })

/** A place of the power shelf. */
const SimulatedPowerSupply = record('SimulatedPowerSupply', { slot: uint8, present: boolean })
/** A router that is silent, or a port without its cable. */
const SimulatedOutage = record('SimulatedOutage', { switch_slot: SwitchSlot, end: string })
/** What is wrong with the simulated rack besides its sleds and disks. */
export const Simulation = record('Simulation', {
  power_supplies: array(SimulatedPowerSupply),
  outages: array(SimulatedOutage),
})
const percent = integer('uint8', 'a percentage', 0, 100)
/** How much a simulated machine is made to do of what it could; nothing ends it. */
export const SimulatedLoad = record('SimulatedLoad', {
  cpu: percent,
  disk: percent,
  network: percent,
})
export const SimulatedPresence = record('SimulatedPresence', { present: boolean })
export const SimulatedConnection = record('SimulatedConnection', { up: boolean })
