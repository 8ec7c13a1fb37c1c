import type { SwitchSlot } from '@steading/api/rules'
import type { Generated } from 'kysely'
import { type Earlier, jsonColumn } from '@steading/control-plane/engine'
import type { MachineAddress, MachineSpec, MulticastGroup } from '@steading/control-plane/ports'
import type { MachineState } from './state.ts'

/** A simulated machine; only the simulator writes this table and the next ones. */
export interface SimulatedMachineTable {
  id: string
  sled_id: string
  /** JSON. */
  spec: string
  phase: string
  /** When the phase began; milliseconds. */
  since: number
  /** How often it has booted again, which may have been the guest's own doing. */
  boot: number
  /** Number of reboots begun that were asked for. */
  reboots: number
  /** Where it is moving to while it runs; JSON of `MachineState['move']`. */
  move: string | null
  /** Rises with every write; a writer that saw an older one has lost. */
  version: number
}

export interface SimulatedOutputTable {
  machine_id: string
  /** How often the machine had booted again before this output. */
  boot: number
  /** Bytes since boot before this chunk. */
  byte_offset: number
  byte_length: number
  /** Base64. */
  data: string
}

/** Keys that were pressed at other servers, for the server that drives the machine. */
export interface SimulatedInputTable {
  id: Generated<number>
  machine_id: string
  sled_id: string
  /** Base64; empty to say that the machine has changed. */
  data: string
}

/** How much output the viewers have been shown at a server that does not drive the machine. */
export interface SimulatedViewerTable {
  machine_id: string
  server: string
  sled_id: string
  boot: number
  byte_offset: number
  /** Milliseconds of the database's clock. */
  lease_until: number
}

/** A program at the console of a guest that waits for a connection. */
export interface SimulatedListenerTable {
  machine_id: string
  port: number
  /** Who has connected; null if nobody has yet. */
  peer: string | null
  /** Milliseconds of the database's clock. */
  lease_until: number
}

/** A router or a port that is silent, or was; only the simulator writes it. */
export interface SimulatedOutageTable {
  switch_slot: SwitchSlot
  /** Of the router; or the name of the port. */
  address: string
  time_began: string
  time_ended: string | null
}

/** Who receives what is sent to a multicast group. */
export interface SimulatedMulticastTable {
  id: string
  address: string
  /** An older version is not written over a newer one. */
  version: number
  /** JSON. */
  receivers: string
}

/** A slot of the power shelf whose unit was taken out. */
export interface SimulatedPowerGapTable {
  slot: number
}

/** What a machine is made to do on purpose; only the simulator writes it. */
export interface SimulatedLoadTable {
  machine_id: string
  /** Milliseconds. */
  time_began: number
  time_ended: number | null
  /** Percent of what it could do. */
  cpu: number
  disk: number
  network: number
}

/** The narrowest subnet, for an address that was stored without one. */
const completeAddress = ({ address = '', ...rest }: Earlier<MachineAddress>): MachineAddress => ({
  address,
  prefixLength: address.includes(':') ? 128 : 32,
  gateway: address,
  ...rest,
})

/** Machines that were made before guests got user data and keys, and addresses their subnet, go without. */
export const machineSpec = jsonColumn<MachineSpec>((found) => ({
  ...(found as MachineSpec),
  interfaces: (found.interfaces ?? []).map((one) => ({
    ...(one as MachineSpec['interfaces'][number]),
    addresses: (one.addresses ?? []).map(completeAddress),
  })),
  userData: found.userData ?? '',
  sshPublicKeys: found.sshPublicKeys ?? [],
}))
/** The column `move`. */
export const machineMove = jsonColumn<NonNullable<MachineState['move']>>()
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
