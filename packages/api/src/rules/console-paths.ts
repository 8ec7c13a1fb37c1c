/**
 * The addresses of the console's pages. Hosts know by them what is a page, the console's router must
 * have exactly these, and its links lead nowhere else.
 */

/** Every page, in the spelling of the router: `$name` is a parameter. */
export const consolePaths = [
  '/',
  '/login/choose',
  '/login/signed-in',
  '/login/$silo/local',
  '/login/$silo/saml/$provider',
  '/device/verify',
  '/device/success',
  '/jobs',
  '/access',
  '/audit-log',
  '/certificates',
  '/certificates-new',
  '/utilization',
  '/users',
  '/users-new',
  '/users/$user',
  '/groups',
  '/groups-new',
  '/groups/$group',
  '/system/issues',
  '/system/silos',
  '/system/silos-new',
  '/system/silos/$silo',
  '/system/silos/$silo/idps',
  '/system/silos/$silo/idps-new',
  '/system/silos/$silo/idps/saml/$provider',
  '/system/silos/$silo/ip-pools',
  '/system/silos/$silo/subnet-pools',
  '/system/silos/$silo/quotas',
  '/system/silos/$silo/users',
  '/system/silos/$silo/access',
  '/system/silos/$silo/fleet-roles',
  '/system/silos/$silo/scim',
  '/system/utilization',
  '/system/inventory',
  '/system/inventory/sleds',
  '/system/inventory/disks',
  '/system/inventory/racks',
  '/system/inventory/waiting',
  '/system/inventory/sleds/$sledId',
  '/system/inventory/sleds/$sledId/instances',
  '/system/inventory/sleds/$sledId/disks',
  '/system/update',
  '/system/update/releases-new',
  '/system/update/trust-roots-new',
  '/system/networking',
  '/system/networking/ip-pools',
  '/system/networking/ip-pools-new',
  '/system/networking/ip-pools/$pool',
  '/system/networking/ip-pools/$pool/edit',
  '/system/networking/ip-pools/$pool/ranges-add',
  '/system/networking/subnet-pools',
  '/system/networking/subnet-pools-new',
  '/system/networking/subnet-pools/$pool',
  '/system/networking/subnet-pools/$pool/edit',
  '/system/networking/subnet-pools/$pool/members-add',
  '/system/networking/connectivity',
  '/system/networking/switch-ports',
  '/system/networking/switch-ports/$switchPort',
  '/system/networking/switch-ports/$switchPort/apply',
  '/system/networking/switch-ports/$switchPort/lldp',
  '/system/networking/port-settings',
  '/system/networking/port-settings-new',
  '/system/networking/port-settings/$portSettings',
  '/system/networking/port-settings/$portSettings/edit',
  '/system/networking/address-lots',
  '/system/networking/address-lots-new',
  '/system/networking/address-lots/$addressLot',
  '/system/networking/loopback-addresses',
  '/system/networking/loopback-addresses-new',
  '/system/networking/bgp',
  '/system/networking/bgp-new',
  '/system/networking/bgp/$bgpConfig/edit',
  '/system/networking/announce-sets',
  '/system/networking/announce-sets-new',
  '/system/networking/announce-sets/$announceSet/edit',
  '/system/networking/bgp-peers',
  '/system/networking/bfd',
  '/system/networking/bfd-new',
  '/system/networking/settings',
  '/system/networking/settings/allow-list',
  '/system/support-bundles',
  '/system/support-bundles-new',
  '/system/support-bundles/$bundle',
  '/system/support-bundles/$bundle/edit',
  '/system/alerts',
  '/system/alerts/$alert',
  '/system/alert-receivers',
  '/system/alert-receivers-new',
  '/system/alert-receivers/$receiver',
  '/system/alert-receivers/$receiver/edit',
  '/system/alert-receivers/$receiver/subscriptions-add',
  '/system/alert-receivers/$receiver/secrets-add',
  '/system/access',
  '/system/audit-log',
  '/lookup/instances/$instance',
  '/lookup/i/$instance',
  '/multicast-groups',
  '/multicast-groups/$group',
  '/images',
  '/images/$image',
  '/images/$image/edit',
  '/settings',
  '/settings/profile',
  '/settings/ssh-keys',
  '/settings/ssh-keys-new',
  '/settings/ssh-keys/$sshKey/edit',
  '/settings/access-tokens',
  '/settings/sessions',
  '/projects',
  '/projects-new',
  '/projects/$project',
  '/projects/$project/edit',
  '/projects/$project/instances',
  '/projects/$project/instances-new',
  '/projects/$project/instances/$instance',
  '/projects/$project/instances/$instance/storage',
  '/projects/$project/instances/$instance/networking',
  '/projects/$project/instances/$instance/metrics',
  '/projects/$project/instances/$instance/metrics/$subject',
  '/projects/$project/instances/$instance/connect',
  '/projects/$project/instances/$instance/settings',
  '/projects/$project/instances/$instance/history',
  '/projects/$project/instances/$instance/serial-console',
  '/projects/$project/disks',
  '/projects/$project/disks-new',
  '/projects/$project/disks/$disk',
  '/projects/$project/disks/$disk/resume-upload',
  '/projects/$project/snapshots',
  '/projects/$project/snapshots-new',
  '/projects/$project/snapshots/$snapshot/images-new',
  '/projects/$project/images',
  '/projects/$project/images-new',
  '/projects/$project/images/$image',
  '/projects/$project/images/$image/edit',
  '/projects/$project/vpcs',
  '/projects/$project/vpcs-new',
  '/projects/$project/vpcs/$vpc',
  '/projects/$project/vpcs/$vpc/edit',
  '/projects/$project/vpcs/$vpc/firewall-rules',
  '/projects/$project/vpcs/$vpc/firewall-rules-new',
  '/projects/$project/vpcs/$vpc/firewall-rules-new/$rule',
  '/projects/$project/vpcs/$vpc/firewall-rules/$rule/edit',
  '/projects/$project/vpcs/$vpc/subnets',
  '/projects/$project/vpcs/$vpc/subnets-new',
  '/projects/$project/vpcs/$vpc/subnets/$subnet/edit',
  '/projects/$project/vpcs/$vpc/topology',
  '/projects/$project/network-map',
  '/projects/$project/reachability',
  '/projects/$project/vpcs/$vpc/routers',
  '/projects/$project/vpcs/$vpc/routers-new',
  '/projects/$project/vpcs/$vpc/routers/$router',
  '/projects/$project/vpcs/$vpc/routers/$router/edit',
  '/projects/$project/vpcs/$vpc/routers/$router/routes-new',
  '/projects/$project/vpcs/$vpc/routers/$router/routes/$route/edit',
  '/projects/$project/vpcs/$vpc/internet-gateways',
  '/projects/$project/vpcs/$vpc/internet-gateways-new',
  '/projects/$project/vpcs/$vpc/internet-gateways/$gateway',
  '/projects/$project/floating-ips',
  '/projects/$project/floating-ips-new',
  '/projects/$project/floating-ips/$floatingIp/edit',
  '/projects/$project/external-subnets',
  '/projects/$project/external-subnets-new',
  '/projects/$project/external-subnets/$externalSubnet/edit',
  '/projects/$project/probes',
  '/projects/$project/probes-new',
  '/projects/$project/probes/$probe',
  '/projects/$project/affinity',
  '/projects/$project/affinity-new',
  '/projects/$project/affinity/$antiAffinityGroup',
  '/projects/$project/affinity/$antiAffinityGroup/edit',
  '/projects/$project/access',
] as const

export type ConsolePath = (typeof consolePaths)[number]

/**
 * Below these every address is the console's, which has its own "not found"; `/login` itself sends
 * the browser on to the login page of its silo.
 */
const sections = [
  'images',
  'login',
  'lookup',
  'multicast-groups',
  'projects',
  'settings',
  'system',
  'users',
  'groups',
] as const

const section = /* @__PURE__ */ new RegExp(`^/(${sections.join('|')})(/|$)`)
// Browsers need neither of these, and the bundler leaves them out.
const single: ReadonlySet<string> = /* @__PURE__ */ new Set(consolePaths)

/** Whether an address, without its query, belongs to the console; unless it is the API's. */
export const isConsolePath = (path: string): boolean => section.test(path) || single.has(path)

/** Where the documentation of the product is. */
export const DOCS_PATH = '/docs'

const apiPath =
  /^\/(?:v1|x|experimental|scim)(?:\/|$)|^\/device\/(?:auth|token|confirm)$|^\/login\/[^/]+\/saml\/[^/]+\/redirect$/

/** Whether an address belongs to the API, even where others beside it are the console's. */
export const isApiPath = (path: string): boolean => apiPath.test(path)

/** The login pages, which are for browsers that have not signed in. */
export const isLoginPath = (path: string): boolean => /^\/login(\/|$)/.test(path)

/** The login page of a provider, which is also where browsers bring its answers. */
export const isSamlLoginPath = (path: string): boolean => /^\/login\/[^/]+\/saml\/[^/]+$/.test(path)

/**
 * A file of the built console, not for browsers: the files that a page begins with, by the path
 * above the page, where a segment with a `$` is any. The host names them to the browser together
 * with the page.
 */
export const FILES_BY_PATH = '.files-by-path.json'
