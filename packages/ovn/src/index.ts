/** The networks of VPCs in OVN. See README.md. */
export { type AppliedVpc, type Northbound, openNorthbound } from './northbound/northbound.ts'
export { Disconnected, Refused } from './ovsdb/connection.ts'
export { rowsOfVpc, type VpcSettings } from './vpc/index.ts'
export type { DesiredRow } from './vpc/rows.ts'
export { type HostRoute, hostRoutes } from './vpc/uplink.ts'
