/** A VPC as rows of OVN's northbound database. */
import type { Vpc } from '@steading/network'
import type { VpcMulticastGroup } from '@steading/control-plane/ports'
import { firewallRows } from './firewall.ts'
import { multicastRows } from './multicast.ts'
import { routerRows } from './router.ts'
import type { DesiredRow } from './rows.ts'
import { type GuestSettings, switchRows } from './switches.ts'
import type { Uplink } from './uplink.ts'

export interface VpcSettings extends GuestSettings {
  uplink: Uplink
}

/** Everything that the northbound database should have of a VPC. Pure: equal VPCs, equal rows. */
export const rowsOfVpc = (
  vpc: Vpc,
  settings: VpcSettings,
  multicast: readonly VpcMulticastGroup[] = [],
): DesiredRow[] => [
  ...switchRows(vpc, settings, multicast.length > 0),
  ...firewallRows(vpc),
  ...multicastRows(vpc, multicast),
  ...routerRows(vpc, settings.mtu, settings.uplink, multicast),
]
