import type {
  RouteDestination,
  RouteTarget,
  VpcFirewallRuleHostFilter,
  VpcFirewallRuleTarget,
  VpcFirewallRuleUpdate,
} from '@steading/api/client'

/** Types allowed as targets and as host filters. */
type Ends = (VpcFirewallRuleTarget & VpcFirewallRuleHostFilter)[]

/** Ages in days. */
export interface VpcSeed {
  project: string
  name: string
  description: string
  daysAgo: number
  subnets: { name: string; description: string; ipv4Block: string; router?: string }[]
  gateway?: { name: string; description: string; pool: string }
  router?: {
    name: string
    description: string
    routes: {
      name: string
      description: string
      destination: RouteDestination
      target: RouteTarget
    }[]
  }
  rules: VpcFirewallRuleUpdate[]
}

const subnet = (value: string) => ({ type: 'subnet', value }) as const
const instance = (value: string) => ({ type: 'instance', value }) as const
const network = (value: string) => ({ type: 'ip_net', value }) as const

const OFFICE = '198.51.100.128/25'

/** An inbound TCP rule, or without ports an ICMP rule. Allows by default. */
const rule = (
  name: string,
  description: string,
  ports: string[],
  targets: Ends,
  hosts: Ends,
  more: Partial<VpcFirewallRuleUpdate> = {},
): VpcFirewallRuleUpdate => ({
  name,
  description,
  action: 'allow',
  direction: 'inbound',
  status: 'enabled',
  priority: 65_534,
  targets,
  filters: {
    hosts: hosts.length > 0 ? hosts : null,
    ports: ports.length > 0 ? ports : null,
    protocols: [ports.length > 0 ? { type: 'tcp' } : { type: 'icmp', value: null }],
  },
  ...more,
})

export const vpcs: VpcSeed[] = [
  {
    project: 'storefront',
    name: 'shop',
    description: 'The shop, with its database out of reach of the internet',
    daysAgo: 196.7,
    subnets: [
      { name: 'public', description: 'Front ends and the bastion', ipv4Block: '10.20.0.0/24' },
      {
        name: 'private',
        description: 'Services and data, without connections from outside',
        ipv4Block: '10.20.1.0/24',
        router: 'private-routes',
      },
    ],
    gateway: {
      name: 'egress',
      description: 'For outbound connections of private instances',
      pool: 'default',
    },
    router: {
      name: 'private-routes',
      description: 'Out by the egress gateway, to the office by the bastion',
      routes: [
        {
          name: 'internet',
          description: '',
          destination: network('0.0.0.0/0'),
          target: { type: 'internet_gateway', value: 'egress' },
        },
        {
          name: 'office',
          description: 'The VPN ends at the bastion',
          destination: network('172.20.0.0/16'),
          target: instance('bastion'),
        },
        {
          name: 'old-warehouse',
          description: 'Given up, but some jobs still ask for it',
          destination: network('172.31.0.0/16'),
          target: { type: 'drop' },
        },
      ],
    },
    rules: [
      rule('web', 'Customers', ['80', '443'], ['web-1', 'web-2', 'web-3'].map(instance), []),
      rule(
        'ssh-to-bastion',
        'From the office alone',
        ['22'],
        [instance('bastion')],
        [network(OFFICE)],
      ),
      rule(
        'ssh-from-bastion',
        '',
        ['22'],
        [subnet('public'), subnet('private')],
        [instance('bastion')],
      ),
      rule('postgres', 'Orders', ['5432'], [instance('orders-db')], [subnet('public')]),
      rule(
        'no-postgres-from-staging',
        'Staging has a database of its own',
        ['5432'],
        [instance('orders-db')],
        [instance('staging-web')],
        { action: 'deny', priority: 100 },
      ),
      rule(
        'services',
        'Front ends ask the services',
        ['80', '443', '6379', '9200'],
        ['api-1', 'api-2', 'checkout-1', 'checkout-2', 'session-cache'].map(instance),
        [subnet('public'), subnet('private')],
      ),
      rule(
        'search',
        '',
        ['9200'],
        [instance('search-1'), instance('search-2')],
        [subnet('private')],
      ),
      rule(
        'ping',
        'Inside of the VPC',
        [],
        [subnet('public'), subnet('private')],
        [subnet('public'), subnet('private')],
        { priority: 65_535 },
      ),
    ],
  },
  {
    project: 'render-farm',
    name: 'farm',
    description: 'Nodes that render, and the storage they share',
    daysAgo: 64,
    subnets: [
      { name: 'nodes-a', description: 'First rack', ipv4Block: '10.40.0.0/24' },
      { name: 'nodes-b', description: 'Second rack', ipv4Block: '10.40.1.0/24' },
      { name: 'storage', description: 'Scenes and frames', ipv4Block: '10.40.8.0/26' },
    ],
    rules: [
      rule('ssh', '', ['22'], [instance('scheduler')], [network(OFFICE)]),
      rule('ssh-from-scheduler', '', ['22'], ['nodes-a', 'nodes-b', 'storage'].map(subnet), [
        instance('scheduler'),
      ]),
      rule(
        'nfs',
        'Nodes mount the storage',
        ['2049'],
        [subnet('storage')],
        [subnet('nodes-a'), subnet('nodes-b')],
      ),
    ],
  },
]

/** Additional IP pools with their silos, all of the same age. */
export const ipPools = [
  {
    name: 'public-v6',
    description: 'IPv6 addresses for instances',
    ipVersion: 'v6',
    first: '2001:db8:40::1',
    last: '2001:db8:40::ffff',
    silo: 'main',
    isDefault: true,
  },
  {
    name: 'legacy-v4',
    description: 'Block of the old provider, whose addresses partners have in their firewalls',
    ipVersion: 'v4',
    first: '198.51.100.32',
    last: '198.51.100.39',
    silo: 'main',
    isDefault: false,
  },
  {
    name: 'science-v4',
    description: 'Addresses of the university',
    ipVersion: 'v4',
    first: '192.0.2.64',
    last: '192.0.2.127',
    silo: undefined,
    isDefault: false,
  },
] as const

export const subnetPools = [
  {
    name: 'customer-blocks',
    description: 'Public blocks that instances route by themselves',
    ipVersion: 'v4',
    member: { subnet: '203.0.113.0/24', minPrefixLength: 26, maxPrefixLength: 29 },
    isDefault: true,
  },
  {
    name: 'delegated-v6',
    description: 'Prefixes for hosts of containers',
    ipVersion: 'v6',
    member: { subnet: '2001:db8:f00::/48', minPrefixLength: 56, maxPrefixLength: 64 },
    isDefault: true,
  },
] as const

interface AddressSeed {
  project: string
  name: string
  description: string
  daysAgo: number
  pool: string
  /** Instance that it is attached to. */
  instance?: string
}

const address =
  (project: string, pool: string) =>
  (name: string, description: string, daysAgo: number, to?: string): AddressSeed => ({
    project,
    pool,
    name,
    description,
    daysAgo,
    instance: to,
  })

const oldShop = address('storefront', 'legacy-v4')
const oldData = address('data-platform', 'legacy-v4')

export const floatingIps: AddressSeed[] = [
  address('storefront', 'default')('bastion', 'How we get in', 194, 'bastion'),
  oldShop('payment-callback', 'Known to the payment provider', 139, 'checkout-1'),
  oldShop('warehouse-feed', 'Known to the warehouse', 190, 'api-1'),
  oldShop('mail-relay', 'Waits for the move of the mail server', 92),
  oldData('partner-exports', 'Partners fetch reports here', 61, 'metabase'),
  oldData('event-intake', 'Devices of customers send here', 97, 'kafka-1'),
  oldData('bi-vendor', 'Trial that has ended', 41),
  address('ci-runners', 'legacy-v4')('artifact-mirror', '', 103, 'build-cache'),
  address('render-farm', 'default')('scheduler', 'Where jobs are sent', 60, 'scheduler'),
]

export const externalSubnets: (AddressSeed & { prefixLength: number })[] = [
  {
    ...address('storefront', 'customer-blocks')(
      'payment-terminals',
      'Terminals in the shops',
      120,
      'checkout-1',
    ),
    prefixLength: 28,
  },
  {
    ...address('storefront', 'customer-blocks')('pop-up-shops', 'For the summer', 21),
    prefixLength: 29,
  },
  {
    ...address('ci-runners', 'delegated-v6')(
      'build-containers',
      'An address for each container',
      64,
      'build-cache',
    ),
    prefixLength: 64,
  },
]
