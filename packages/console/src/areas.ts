/**
 * The areas of the console. The routes of an area are loaded when one of its pages is first visited,
 * or when the pointer is on a link to it, so that the start of the console does not grow with every
 * area. The bundler makes a file of each, and the host names that file to the browser together with
 * the page.
 */
export type Frame = 'root' | 'silo' | 'system' | 'settings' | 'project'

export type Area = {
  /** Names the file of the bundle. */
  name: string
  frame: Frame
  /** Below the frame; everything below these paths belongs to the area, unless it is of another. */
  paths: readonly `/${string}`[]
  /** Folders with a `routes.ts`. The first one has the page that most visits begin with. */
  folders: readonly [string, ...string[]]
}

export const areas: readonly Area[] = [
  { name: 'login', frame: 'root', paths: ['/login'], folders: ['identity/login'] },
  { name: 'device', frame: 'root', paths: ['/device'], folders: ['identity/device'] },
  {
    name: 'projects',
    frame: 'silo',
    paths: ['/projects', '/projects-new', '/projects/$project/edit'],
    folders: ['tenancy/projects'],
  },
  { name: 'images', frame: 'silo', paths: ['/images'], folders: ['storage/images'] },
  {
    name: 'lookup',
    frame: 'silo',
    paths: ['/lookup/instances', '/lookup/i'],
    folders: ['compute/lookup'],
  },
  {
    name: 'multicast-groups',
    frame: 'silo',
    paths: ['/multicast-groups'],
    folders: ['networking/multicast-groups'],
  },
  { name: 'jobs', frame: 'silo', paths: ['/jobs'], folders: ['workspace/activity'] },
  { name: 'access', frame: 'silo', paths: ['/access'], folders: ['identity/access'] },
  { name: 'access', frame: 'system', paths: ['/system/access'], folders: ['identity/access'] },
  { name: 'access', frame: 'project', paths: ['/access'], folders: ['identity/access'] },
  { name: 'audit-log', frame: 'silo', paths: ['/audit-log'], folders: ['observability/audit-log'] },
  {
    name: 'audit-log',
    frame: 'system',
    paths: ['/system/audit-log'],
    folders: ['observability/audit-log'],
  },
  {
    name: 'certificates',
    frame: 'silo',
    paths: ['/certificates', '/certificates-new'],
    folders: ['identity/certificates'],
  },
  {
    name: 'users',
    frame: 'silo',
    paths: ['/users', '/users-new', '/groups', '/groups-new'],
    folders: ['identity/users'],
  },
  {
    name: 'silos',
    frame: 'system',
    paths: ['/system/silos', '/system/silos-new'],
    folders: [
      'tenancy/silos',
      'identity/identity-providers',
      'identity/scim-tokens',
      'identity/users/silo',
      'networking/ip-pools/silo',
      'identity/access/silo',
      'networking/subnet-pools/silo',
    ],
  },
  {
    name: 'system-ip-pools',
    frame: 'system',
    paths: ['/system/networking/ip-pools', '/system/networking/ip-pools-new', '/system/networking'],
    folders: ['networking/ip-pools/system'],
  },
  {
    name: 'system-subnet-pools',
    frame: 'system',
    paths: ['/system/networking/subnet-pools', '/system/networking/subnet-pools-new'],
    folders: ['networking/subnet-pools/system'],
  },
  {
    name: 'external-connectivity',
    frame: 'system',
    paths: [
      '/system/networking/connectivity',
      '/system/networking/switch-ports',
      '/system/networking/port-settings',
      '/system/networking/port-settings-new',
      '/system/networking/address-lots',
      '/system/networking/address-lots-new',
      '/system/networking/loopback-addresses',
      '/system/networking/loopback-addresses-new',
      '/system/networking/bgp',
      '/system/networking/bgp-new',
      '/system/networking/announce-sets',
      '/system/networking/announce-sets-new',
      '/system/networking/bgp-peers',
      '/system/networking/bfd',
      '/system/networking/bfd-new',
      '/system/networking/settings',
    ],
    folders: [
      'system-networking/external-connectivity/overview',
      'system-networking/external-connectivity',
      'system-networking/switch-ports',
      'system-networking/switch-port-settings',
      'system-networking/address-lots',
      'system-networking/loopback-addresses',
      'system-networking/bgp',
      'system-networking/bfd',
      'system-networking/networking-settings',
    ],
  },
  { name: 'issues', frame: 'system', paths: ['/system/issues'], folders: ['observability/issues'] },
  {
    name: 'support-bundles',
    frame: 'system',
    paths: ['/system/support-bundles', '/system/support-bundles-new'],
    folders: ['maintenance/support-bundles'],
  },
  {
    name: 'alerts',
    frame: 'system',
    paths: ['/system/alerts', '/system/alert-receivers', '/system/alert-receivers-new'],
    folders: ['observability/alerts', 'observability/alert-receivers'],
  },
  {
    name: 'alert-rules',
    frame: 'system',
    paths: ['/system/alert-rules', '/system/alert-rules-new'],
    folders: ['observability/alert-rules'],
  },
  { name: 'utilization', frame: 'silo', paths: ['/utilization'], folders: ['tenancy/utilization'] },
  {
    name: 'utilization',
    frame: 'system',
    paths: ['/system/utilization'],
    folders: ['tenancy/utilization'],
  },
  {
    name: 'metrics',
    frame: 'system',
    paths: ['/system/metrics'],
    folders: ['observability/metrics-explorer'],
  },
  {
    name: 'dashboards',
    frame: 'system',
    paths: ['/system/dashboards'],
    folders: ['observability/dashboards'],
  },
  {
    name: 'inventory',
    frame: 'system',
    paths: ['/system/inventory'],
    folders: ['hardware/inventory', 'hardware/sleds'],
  },
  { name: 'updates', frame: 'system', paths: ['/system/update'], folders: ['maintenance/updates'] },
  { name: 'profile', frame: 'settings', paths: ['/profile'], folders: ['identity/profile'] },
  {
    name: 'ssh-keys',
    frame: 'settings',
    paths: ['/ssh-keys', '/ssh-keys-new'],
    folders: ['identity/ssh-keys'],
  },
  {
    name: 'access-tokens',
    frame: 'settings',
    paths: ['/access-tokens'],
    folders: ['identity/access-tokens'],
  },
  { name: 'sessions', frame: 'settings', paths: ['/sessions'], folders: ['identity/sessions'] },
  {
    name: 'instances',
    frame: 'project',
    paths: ['/instances'],
    folders: ['compute/instances'],
  },
  {
    name: 'instance',
    frame: 'project',
    paths: ['/instances/$instance'],
    folders: ['compute/instances/view', 'compute/serial-console'],
  },
  {
    name: 'instances-create',
    frame: 'project',
    paths: ['/instances-new'],
    folders: ['compute/instances/create'],
  },
  { name: 'disks', frame: 'project', paths: ['/disks', '/disks-new'], folders: ['storage/disks'] },
  {
    name: 'snapshots',
    frame: 'project',
    paths: ['/snapshots', '/snapshots-new'],
    folders: ['storage/snapshots'],
  },
  {
    name: 'images',
    frame: 'project',
    paths: ['/images', '/images-new'],
    folders: ['storage/images'],
  },
  {
    name: 'vpcs',
    frame: 'project',
    paths: ['/vpcs', '/vpcs-new'],
    // The tabs of a VPC's page that are no areas of their own.
    folders: [
      'networking/vpcs',
      'networking/firewall-rules',
      'networking/subnets',
      'networking/topology/vpc',
    ],
  },
  {
    name: 'routers',
    frame: 'project',
    paths: [
      '/vpcs/$vpc/routers',
      '/vpcs/$vpc/routers-new',
      '/vpcs/$vpc/internet-gateways',
      '/vpcs/$vpc/internet-gateways-new',
    ],
    folders: ['networking/routers', 'networking/internet-gateways'],
  },
  {
    name: 'floating-ips',
    frame: 'project',
    paths: ['/floating-ips', '/floating-ips-new'],
    folders: ['networking/floating-ips'],
  },
  {
    name: 'network-map',
    frame: 'project',
    paths: ['/network-map'],
    folders: ['networking/network-map'],
  },
  {
    name: 'reachability',
    frame: 'project',
    paths: ['/reachability'],
    folders: ['networking/reachability/test'],
  },
  {
    name: 'external-subnets',
    frame: 'project',
    paths: ['/external-subnets', '/external-subnets-new'],
    folders: ['networking/external-subnets'],
  },
  {
    name: 'probes',
    frame: 'project',
    paths: ['/probes', '/probes-new'],
    folders: ['networking/probes'],
  },
  {
    name: 'alert-rules',
    frame: 'project',
    paths: ['/alert-rules', '/alert-rules-new'],
    folders: ['observability/alert-rules'],
  },
  {
    name: 'metrics',
    frame: 'project',
    paths: ['/metrics'],
    folders: ['observability/metrics-explorer'],
  },
  {
    name: 'dashboards',
    frame: 'project',
    paths: ['/dashboards'],
    folders: ['observability/dashboards'],
  },
  {
    name: 'affinity',
    frame: 'project',
    paths: ['/affinity', '/affinity-new', '/affinity-groups'],
    folders: ['compute/affinity'],
  },
]

const prefixes: Record<Frame, string> = {
  root: '',
  silo: '',
  system: '',
  settings: '/settings',
  project: '/projects/$project',
}

/** The paths of an area from the root. */
export const pathsOf = ({ frame, paths }: Area): string[] =>
  paths.map((path) => prefixes[frame] + path)
