import { PhysicalDiskManufacturerIdentity } from '../physical-disks/schemas.ts'
import { BaseboardId } from '../racks/schemas.ts'
import { NameOrId, shortText, uint8 } from '../../schema.ts'
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

const query = { project: NameOrId.optional() }

/** Operations of simulated hardware. With real hardware they answer 404. */
export const simulationOperations = usual('fleet', {
  id: 'simulation',
  item: Simulation,
  path: '/x/v1/simulation',
  params: { serial: shortText, slot: uint8, switch_slot: SwitchSlot, end: shortText },
  permission: { fleet: 'modify' },
})({
  simulated_sled_set_power: {
    route: 'PUT sleds/{serial}/power',
    summary: 'Switch a simulated sled off or on, as if it had failed and come back',
    body: SimulatedPower,
    // The engine runs its own transactions.
    transaction: 'own',
    success: { status: 204 },
    changes: ['sled', 'rack'],
  },
  simulated_sled_recover: {
    route: 'POST sleds/{serial}/recover',
    summary: 'Reset a simulated sled to its factory software, as support does',
    transaction: 'own',
    success: { status: 204 },
    changes: ['sled', 'rack', 'system_update'],
  },
  simulated_sled_insert: {
    route: 'POST sleds',
    summary: 'Add a sled to the simulated rack',
    transaction: 'own',
    success: { status: 201, schema: BaseboardId },
    changes: ['sled', 'rack'],
  },
  simulated_instance_load_view: {
    route: 'GET instances/{instance}/load',
    summary: 'Show the simulated load of an instance',
    permission: { instance: 'read' },
    query,
    answer: SimulatedLoad,
  },
  simulated_instance_set_load: {
    route: 'PUT instances/{instance}/load',
    summary: 'Set the simulated load of an instance, or end it',
    permission: { instance: 'modify' },
    query,
    body: SimulatedLoadUpdate,
    transaction: 'own',
    success: { status: 204 },
  },
  simulated_disk_set_health: {
    route: 'PUT disks/{serial}/health',
    summary: 'Fail or repair a simulated disk',
    body: SimulatedHealth,
    transaction: 'own',
    success: { status: 204 },
    changes: ['physical_disk'],
  },
  simulated_disk_replace: {
    route: 'POST disks/{serial}/replace',
    summary: 'Replace a simulated disk with a new one',
    transaction: 'own',
    success: { status: 201, schema: PhysicalDiskManufacturerIdentity },
    changes: ['physical_disk'],
  },
  simulation_view: {
    summary: 'Show the power supplies and the failed uplinks of the simulated rack',
  },
  simulated_power_supply_update: {
    route: 'PUT power-supplies/{slot}',
    summary: 'Remove or insert a simulated power supply',
    body: SimulatedPresence,
    transaction: 'own',
    success: { status: 204 },
    changes: ['simulation_view', 'alert'],
  },
  simulated_uplink_update: {
    route: 'PUT uplinks/{switch_slot}/{end}',
    summary: 'Fail or repair a simulated router or the cable of a port',
    body: SimulatedConnection,
    transaction: 'own',
    success: { status: 204 },
    changes: ['simulation_view', 'alert', 'bgp_config', 'bfd_session', 'switch_port'],
  },
})
