import { jsonColumn } from '@steading/control-plane/engine'
import type { MachineNetwork } from '@steading/control-plane/ports'

/** The network that a machine should have. Only the networks of this engine write these tables. */
export interface LibvirtNetworkTable {
  machine_id: string
  /** Serial number of the host of the machine. */
  host: string
  /** JSON. */
  network: string
  version: number
  /** The version in effect; null while none is. */
  applied_version: number | null
}

/** A port of a host that is forwarded to a machine. */
export interface LibvirtPortTable {
  /** Serial number. */
  host: string
  address: string
  protocol: 'tcp' | 'udp'
  port: number
  machine_id: string
  external: string
  /** The port at the external address and in the guest. */
  guest_port: number
}

export const machineNetwork = jsonColumn<MachineNetwork>()

declare module '@steading/control-plane/engine' {
  interface Database {
    libvirt_network: LibvirtNetworkTable
    libvirt_port: LibvirtPortTable
  }
}
