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
  { name: 'login', frame: 'root', paths: ['/login'], folders: ['login'] },
  { name: 'device', frame: 'root', paths: ['/device'], folders: ['device'] },
  {
    name: 'projects',
    frame: 'silo',
    paths: ['/projects', '/projects-new', '/projects/$project/edit'],
    folders: ['projects'],
  },
  { name: 'images', frame: 'silo', paths: ['/images'], folders: ['images'] },
  {
    name: 'lookup',
    frame: 'silo',
    paths: ['/lookup/instances', '/lookup/i'],
    folders: ['lookup'],
  },
  {
    name: 'multicast-groups',
    frame: 'silo',
    paths: ['/multicast-groups'],
    folders: ['multicast-groups'],
  },
  { name: 'jobs', frame: 'silo', paths: ['/jobs'], folders: ['activity'] },
  { name: 'access', frame: 'silo', paths: ['/access'], folders: ['access'] },
  { name: 'access', frame: 'system', paths: ['/system/access'], folders: ['access'] },
  { name: 'access', frame: 'project', paths: ['/access'], folders: ['access'] },
  { name: 'audit-log', frame: 'silo', paths: ['/audit-log'], folders: ['audit-log'] },
  { name: 'audit-log', frame: 'system', paths: ['/system/audit-log'], folders: ['audit-log'] },
  {
    name: 'certificates',
    frame: 'silo',
    paths: ['/certificates', '/certificates-new'],
    folders: ['certificates'],
  },
  {
    name: 'users',
    frame: 'silo',
    paths: ['/users', '/users-new', '/groups', '/groups-new'],
    folders: ['users'],
  },
  {
    name: 'silos',
    frame: 'system',
    paths: ['/system/silos', '/system/silos-new'],
    folders: [
      'silos',
      'identity-providers',
      'scim-tokens',
      'silo-users',
      'silo-ip-pools',
      'silo-access',
      'silo-subnet-pools',
    ],
  },
  {
    name: 'system-ip-pools',
    frame: 'system',
    paths: ['/system/networking/ip-pools', '/system/networking/ip-pools-new', '/system/networking'],
    folders: ['system-ip-pools'],
  },
  {
    name: 'system-subnet-pools',
    frame: 'system',
    paths: ['/system/networking/subnet-pools', '/system/networking/subnet-pools-new'],
    folders: ['system-subnet-pools'],
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
      'connectivity-overview',
      'external-connectivity',
      'switch-ports',
      'switch-port-settings',
      'address-lots',
      'loopback-addresses',
      'bgp',
      'bfd',
      'networking-settings',
    ],
  },
  { name: 'issues', frame: 'system', paths: ['/system/issues'], folders: ['issues'] },
  {
    name: 'support-bundles',
    frame: 'system',
    paths: ['/system/support-bundles', '/system/support-bundles-new'],
    folders: ['support-bundles'],
  },
  {
    name: 'alerts',
    frame: 'system',
    paths: ['/system/alerts', '/system/alert-receivers', '/system/alert-receivers-new'],
    folders: ['alerts', 'alert-receivers'],
  },
  {
    name: 'alert-rules',
    frame: 'system',
    paths: ['/system/alert-rules', '/system/alert-rules-new'],
    folders: ['alert-rules'],
  },
  { name: 'utilization', frame: 'silo', paths: ['/utilization'], folders: ['utilization'] },
  {
    name: 'utilization',
    frame: 'system',
    paths: ['/system/utilization'],
    folders: ['utilization'],
  },
  {
    name: 'metrics',
    frame: 'system',
    paths: ['/system/metrics'],
    folders: ['metrics-explorer'],
  },
  {
    name: 'dashboards',
    frame: 'system',
    paths: ['/system/dashboards'],
    folders: ['dashboards'],
  },
  {
    name: 'inventory',
    frame: 'system',
    paths: ['/system/inventory'],
    folders: ['inventory', 'sled-view'],
  },
  { name: 'updates', frame: 'system', paths: ['/system/update'], folders: ['updates'] },
  { name: 'profile', frame: 'settings', paths: ['/profile'], folders: ['profile'] },
  {
    name: 'ssh-keys',
    frame: 'settings',
    paths: ['/ssh-keys', '/ssh-keys-new'],
    folders: ['ssh-keys'],
  },
  {
    name: 'access-tokens',
    frame: 'settings',
    paths: ['/access-tokens'],
    folders: ['access-tokens'],
  },
  { name: 'sessions', frame: 'settings', paths: ['/sessions'], folders: ['sessions'] },
  {
    name: 'instances',
    frame: 'project',
    paths: ['/instances'],
    folders: ['instances'],
  },
  {
    name: 'instance',
    frame: 'project',
    paths: ['/instances/$instance'],
    folders: ['instances-view', 'serial-console'],
  },
  {
    name: 'instances-create',
    frame: 'project',
    paths: ['/instances-new'],
    folders: ['instances-create'],
  },
  { name: 'disks', frame: 'project', paths: ['/disks', '/disks-new'], folders: ['disks-list'] },
  {
    name: 'snapshots',
    frame: 'project',
    paths: ['/snapshots', '/snapshots-new'],
    folders: ['snapshots'],
  },
  { name: 'images', frame: 'project', paths: ['/images', '/images-new'], folders: ['images'] },
  {
    name: 'vpcs',
    frame: 'project',
    paths: ['/vpcs', '/vpcs-new'],
    // The tabs of a VPC's page that are no areas of their own.
    folders: ['vpcs', 'firewall-rules', 'subnets', 'vpc-topology'],
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
    folders: ['routers', 'internet-gateways'],
  },
  {
    name: 'floating-ips',
    frame: 'project',
    paths: ['/floating-ips', '/floating-ips-new'],
    folders: ['floating-ips'],
  },
  {
    name: 'network-map',
    frame: 'project',
    paths: ['/network-map'],
    folders: ['network-map'],
  },
  {
    name: 'reachability',
    frame: 'project',
    paths: ['/reachability'],
    folders: ['reachability-test'],
  },
  {
    name: 'external-subnets',
    frame: 'project',
    paths: ['/external-subnets', '/external-subnets-new'],
    folders: ['external-subnets'],
  },
  {
    name: 'probes',
    frame: 'project',
    paths: ['/probes', '/probes-new'],
    folders: ['probes'],
  },
  {
    name: 'alert-rules',
    frame: 'project',
    paths: ['/alert-rules', '/alert-rules-new'],
    folders: ['alert-rules'],
  },
  {
    name: 'metrics',
    frame: 'project',
    paths: ['/metrics'],
    folders: ['metrics-explorer'],
  },
  {
    name: 'dashboards',
    frame: 'project',
    paths: ['/dashboards'],
    folders: ['dashboards'],
  },
  {
    name: 'affinity',
    frame: 'project',
    paths: ['/affinity', '/affinity-new', '/affinity-groups'],
    folders: ['affinity'],
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
