import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Flag, Identity } from '../../../kernel/db/schema.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'

export interface NetworkInterfaceTable extends Identity {
  instance_id: string
  vpc_id: string
  subnet_id: string
  mac: string
  slot: number
  is_primary: Flag
  ipv4: string | null
  ipv6: string | null
  /** JSON list of networks. */
  transit_ips_v4: string
  transit_ips_v6: string
}

/** The columns `transit_ips_v4` and `transit_ips_v6`. */
export const transitNetworks = jsonColumn<string[]>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    network_interface: NetworkInterfaceTable
  }
}

export const networkInterfaceTables: StoredTables = {
  network_interface: {
    within: { instance_id: 'instance', vpc_id: 'vpc', subnet_id: 'vpc_subnet' },
    names: { network_interface_name: kinds.network_interface.type },
  },
}
