import type { SwitchSlot } from '@steading/api/rules'
import type { Generated } from 'kysely'
import { type Earlier, jsonColumn } from '@steading/control-plane/engine'
import type { MachineAddress, MachineSpec, MulticastGroup } from '@steading/control-plane/ports'
import type { SimulatedMove } from './state.ts'

/** A simulated machine. The simulator alone writes this table and the following ones. */
export interface SimulatedMachineTable {
  id: string
  sled_id: string
  /** JSON. */
  spec: string
  phase: string
  /** Start of the phase in milliseconds. */
  since: number
  /** Number of reboots, including those by the guest itself. */
  boot: number
  /** Number of requested reboots that have begun. */
  reboots: number
  /** JSON of `SimulatedMove`. */
  move: string | null
  /** Increases with every write; a writer that read an older version is refused. */
  version: number
}

export interface SimulatedOutputTable {
  machine_id: string
  /** Number of reboots before this output. */
  boot: number
  /** Bytes since boot before this chunk. */
  byte_offset: number
  byte_length: number
  /** Base64. */
  data: string
}

/** Keys from consoles at other servers, for the server that drives the machine. */
export interface SimulatedInputTable {
  id: Generated<number>
  machine_id: string
  sled_id: string
  /** Base64; empty to report a change of the machine. */
  data: string
}

/** Progress of the viewers at a server that does not drive the machine. */
export interface SimulatedViewerTable {
  machine_id: string
  server: string
  sled_id: string
  boot: number
  byte_offset: number
  /** Milliseconds of the database's clock. */
  lease_until: number
}

/** A program at a guest's console that waits for a connection. */
export interface SimulatedListenerTable {
  machine_id: string
  port: number
  /** Address of the connected client; null if there is none yet. */
  peer: string | null
  /** Milliseconds of the database's clock. */
  lease_until: number
}

/** A current or past outage of a router or a port. The simulator alone writes it. */
export interface SimulatedOutageTable {
  switch_slot: SwitchSlot
  /** Address of the router, or name of the port. */
  address: string
  time_began: string
  time_ended: string | null
}

/** Receivers of a multicast group. */
export interface SimulatedMulticastTable {
  id: string
  address: string
  /** An older version must not replace a newer one. */
  version: number
  /** JSON. */
  receivers: string
}

/** An empty slot of the power shelf. */
export interface SimulatedPowerGapTable {
  slot: number
}

/** Injected load of a machine. The simulator alone writes it. */
export interface SimulatedLoadTable {
  machine_id: string
  /** Milliseconds. */
  time_began: number
  time_ended: number | null
  /** Percent of its capacity. */
  cpu: number
  disk: number
  network: number
}

/** The narrowest subnet, for an address stored without one. */
const completeAddress = ({ address = '', ...rest }: Earlier<MachineAddress>): MachineAddress => ({
  address,
  prefixLength: address.includes(':') ? 128 : 32,
  gateway: address,
  ...rest,
})

const completeVolume = (found: Earlier<MachineSpec['volumes'][number]>) => ({
  source: { path: found.id, format: 'raw' },
  ...found,
})

/** Machines older than attached volumes, user data, keys and subnets of addresses have none. */
export const machineSpec = jsonColumn<MachineSpec>((found) => ({
  ...(found as MachineSpec),
  volumes: (found.volumes ?? []).map(
    (volume) => completeVolume(volume) as MachineSpec['volumes'][number],
  ),
  interfaces: (found.interfaces ?? []).map((one) => ({
    ...(one as MachineSpec['interfaces'][number]),
    addresses: (one.addresses ?? []).map(completeAddress),
  })),
  userData: found.userData ?? '',
  sshPublicKeys: found.sshPublicKeys ?? [],
}))
/** The column `move`. */
export const machineMove = jsonColumn<SimulatedMove>((found) => ({
  // Moves of earlier versions have no id, so they begin anew.
  id: '',
  since: 0,
  ...(found as Omit<SimulatedMove, 'id' | 'since'>),
}))
export const groupReceivers = jsonColumn<MulticastGroup['receivers']>()

declare module '@steading/control-plane/engine' {
  interface Database {
    simulated_machine: SimulatedMachineTable
    simulated_output: SimulatedOutputTable
    simulated_input: SimulatedInputTable
    simulated_viewer: SimulatedViewerTable
    simulated_listener: SimulatedListenerTable
    simulated_outage: SimulatedOutageTable
    simulated_multicast: SimulatedMulticastTable
    simulated_power_gap: SimulatedPowerGapTable
    simulated_load: SimulatedLoadTable
  }
}
