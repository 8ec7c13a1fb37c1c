/** A VPC as rows of OVN's northbound database. */
import type { Vpc } from '@steading/network'
import { firewallRows } from './firewall.ts'
import { routerRows } from './router.ts'
import type { DesiredRow } from './rows.ts'
import { type GuestSettings, switchRows } from './switches.ts'
import type { Uplink } from './uplink.ts'

export interface VpcSettings extends GuestSettings {
  uplink: Uplink
}

/** Everything that the northbound database should have of a VPC. Pure: equal VPCs, equal rows. */
export const rowsOfVpc = (vpc: Vpc, settings: VpcSettings): DesiredRow[] => [
  ...switchRows(vpc, settings),
  ...firewallRows(vpc),
  ...routerRows(vpc, settings.mtu, settings.uplink),
]
