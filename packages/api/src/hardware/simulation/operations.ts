import { PhysicalDiskManufacturerIdentity } from '../physical-disks/schemas.ts'
import { BaseboardId } from '../racks/schemas.ts'
import { shortText, uint8 } from '../../schema.ts'
import { SwitchSlot } from '../switches/schemas.ts'
import {
  SimulatedConnection,
  SimulatedHealth,
  SimulatedLoad,
  SimulatedLoadUpdate,
  SimulatedPower,
  SimulatedPresence,
  Simulation,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const rack = {
  path: '/x/v1/simulation',
  params: { serial: shortText, slot: uint8, switch_slot: SwitchSlot, end: shortText },
  permission: { fleet: 'modify' },
} as const

/** Operations of simulated hardware. With real hardware they answer 404. */
export const simulationOperations = {
  ...usual('fleet', { ...rack, id: 'simulated' })({
    sled_set_power: {
      route: 'PUT sleds/{serial}/power',
      summary: 'Switch a simulated sled off or on, as if it had failed and come back',
      body: SimulatedPower,
      // The engine runs its own transactions.
      transaction: 'own',
      success: { status: 204 },
    },
    sled_recover: {
      route: 'POST sleds/{serial}/recover',
      summary: 'Reset a simulated sled to its factory software, as support does',
      transaction: 'own',
      success: { status: 204 },
    },
    sled_insert: {
      route: 'POST sleds',
      summary: 'Add a sled to the simulated rack',
      transaction: 'own',
      success: { status: 201, schema: BaseboardId },
    },
  }),
  ...usual('instance', {
    id: 'simulated_instance',
    path: '/x/v1/simulation/instances/{instance}',
  })({
    load_view: {
      route: 'GET load',
      summary: 'Show the simulated load of an instance',
      answer: SimulatedLoad,
    },
    set_load: {
      route: 'PUT load',
      summary: 'Set the simulated load of an instance, or end it',
      body: SimulatedLoadUpdate,
      transaction: 'own',
      success: { status: 204 },
    },
  }),
  ...usual('fleet', { ...rack, id: 'simulated' })({
    disk_set_health: {
      route: 'PUT disks/{serial}/health',
      summary: 'Fail or repair a simulated disk',
      body: SimulatedHealth,
      transaction: 'own',
      success: { status: 204 },
    },
    disk_replace: {
      route: 'POST disks/{serial}/replace',
      summary: 'Replace a simulated disk with a new one',
      transaction: 'own',
      success: { status: 201, schema: PhysicalDiskManufacturerIdentity },
    },
  }),
  ...usual('fleet', { ...rack, id: 'simulation' })({
    view: {
      summary: 'Show the power supplies and the failed uplinks of the simulated rack',
      answer: Simulation,
    },
  }),
  ...usual('fleet', { ...rack, id: 'simulated' })({
    power_supply_update: {
      route: 'PUT power-supplies/{slot}',
      summary: 'Remove or insert a simulated power supply',
      body: SimulatedPresence,
      transaction: 'own',
      success: { status: 204 },
    },
    uplink_update: {
      route: 'PUT uplinks/{switch_slot}/{end}',
      summary: 'Fail or repair a simulated router or the cable of a port',
      body: SimulatedConnection,
      transaction: 'own',
      success: { status: 204 },
    },
  }),
}
