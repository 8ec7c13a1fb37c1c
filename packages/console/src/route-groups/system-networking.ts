/** Operators’ pages of networking. */
import {
  networkingHomeRoute,
  ipPoolListRoutes,
  ipPoolRoutes,
} from '../networking/ip-pools/routes.ts'
import { subnetPoolListRoutes, subnetPoolRoutes } from '../networking/subnet-pools/routes.ts'
import {
  connectivityRoute,
  overviewRoute,
} from '../system-networking/external-connectivity/routes.ts'
import { switchPortListRoute, switchPortRoutes } from '../system-networking/switch-ports/routes.ts'
import {
  portSettingsListRoute,
  portSettingsRoutes,
} from '../system-networking/switch-port-settings/routes.ts'
import { addressLotTabRoutes, addressLotRoutes } from '../system-networking/address-lots/routes.ts'
import { loopbackRoutes } from '../system-networking/loopback-addresses/routes.ts'
import {
  bgpConfigRoutes,
  announceSetRoutes,
  bgpPeersRoute,
} from '../system-networking/bgp/routes.ts'
import { bfdRoutes } from '../system-networking/bfd/routes.ts'
import { networkingSettingsRoute } from '../system-networking/networking-settings/routes.ts'

export const routes = [
  networkingHomeRoute,
  ipPoolListRoutes,
  ipPoolRoutes,
  subnetPoolListRoutes,
  subnetPoolRoutes,
  connectivityRoute.addChildren([
    overviewRoute,
    switchPortListRoute,
    portSettingsListRoute,
    addressLotTabRoutes,
    loopbackRoutes,
    bgpConfigRoutes,
    announceSetRoutes,
    bgpPeersRoute,
    bfdRoutes,
    networkingSettingsRoute,
  ]),
  switchPortRoutes,
  portSettingsRoutes,
  addressLotRoutes,
] as const
