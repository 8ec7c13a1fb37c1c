import type { InstanceState } from '@steading/api/rules'

/** Sizes in GiB, ages in days. */
export interface InstanceSeed {
  project: string
  name: string
  description: string
  daysAgo: number
  cpus: number
  memory: number
  image: string
  boot: number
  data?: number
  ephemeralIp?: true
  /** VPC and subnet; `default` if absent. */
  network?: [vpc: string, subnet: string]
  /** Networks that it forwards packets of. */
  transitIps?: string[]
  /** Anti-affinity group of the new instance. */
  group?: string
  /** State at the start; running if absent. */
  state?: Exclude<InstanceState, 'running' | 'destroyed'>
  /** Whether it is not restarted after a failure. */
  neverRestart?: true
}

const of =
  (project: string, image: string) =>
  (
    name: string,
    description: string,
    daysAgo: number,
    [cpus, memory, boot, data]: [number, number, number, number?],
    more: Partial<InstanceSeed> = {},
  ): InstanceSeed => ({
    project,
    image,
    name,
    description,
    daysAgo,
    cpus,
    memory,
    boot,
    data,
    ...more,
  })

const shop = of('storefront', 'ubuntu-24-04')
const PUBLIC = { network: ['shop', 'public'] } satisfies Partial<InstanceSeed>
/** Front ends, which are on different sleds. */
const FRONT = { ...PUBLIC, group: 'web' } satisfies Partial<InstanceSeed>
const PRIVATE = { network: ['shop', 'private'] } satisfies Partial<InstanceSeed>
const data = of('data-platform', 'debian-13')
const ci = of('ci-runners', 'runner-base')
const farm = of('render-farm', 'alpine-3-22')

const NODES = 56
const RENDER_DAYS_AGO = 62

/** Many similar instances, half of them in each subnet; every fourteenth is switched off. */
const renderNodes = Array.from({ length: NODES }, (_, index) =>
  farm(
    `render-${String(index + 1).padStart(2, '0')}`,
    'Renders one frame at a time',
    RENDER_DAYS_AGO,
    [2, 4, 10],
    {
      network: ['farm', index < NODES / 2 ? 'nodes-a' : 'nodes-b'],
      ...(index % 14 === 13 ? { state: 'stopped' } : {}),
    },
  ),
)

export const instances: InstanceSeed[] = [
  shop('bastion', 'The way in for us', 195.5, [1, 2, 10], {
    ...PUBLIC,
    image: 'debian-13',
    transitIps: ['172.20.0.0/16'],
  }),
  shop('web-1', 'Shop front end', 196, [4, 8, 40], { ...FRONT, ephemeralIp: true }),
  shop('web-2', 'Shop front end', 196, [4, 8, 40], { ...FRONT, ephemeralIp: true }),
  shop('web-3', 'Shop front end', 83, [4, 8, 40], {
    ...FRONT,
    ephemeralIp: true,
    state: 'rebooting',
  }),
  shop('api-1', 'Catalogue and cart', 195, [8, 16, 40], PRIVATE),
  shop('api-2', 'Catalogue and cart', 195, [8, 16, 40], PRIVATE),
  shop('checkout-1', 'Payments', 140, [4, 16, 40], { ...PRIVATE, neverRestart: true }),
  shop('checkout-2', 'Payments', 140, [4, 16, 40], {
    ...PRIVATE,
    neverRestart: true,
    state: 'starting',
  }),
  shop('orders-db', 'PostgreSQL', 194, [8, 32, 40, 400], { ...PRIVATE, image: 'debian-13' }),
  shop('session-cache', 'Valkey', 71, [2, 16, 20], { ...PRIVATE, image: 'alpine-3-22' }),
  shop('search-1', 'OpenSearch', 129, [8, 32, 40, 250], PRIVATE),
  shop('search-2', 'OpenSearch', 129, [8, 32, 40, 250], { ...PRIVATE, state: 'repairing' }),
  shop('staging-web', 'Switched off outside office hours', 58, [2, 4, 40], {
    ...PUBLIC,
    state: 'stopped',
  }),

  data('postgres-primary', 'Orders and customers', 170, [16, 64, 40, 800]),
  data('postgres-replica', 'Read replica', 42, [16, 64, 40, 800], {
    image: 'postgres-18-base',
    state: 'migrating',
  }),
  data('clickhouse-1', 'Analytics, shard 1', 153, [16, 128, 40, 1000]),
  data('clickhouse-2', 'Analytics, shard 2', 153, [16, 128, 40, 1000]),
  data('kafka-1', 'Event log', 101, [8, 32, 40, 500], { image: 'rocky-linux-10' }),
  data('airflow', 'Nightly jobs', 99, [4, 16, 60], { state: 'failed' }),
  data('notebooks', 'Shared Jupyter', 67, [8, 64, 100], { state: 'stopped' }),
  data('metabase', 'Dashboards', 66, [2, 8, 40], { ephemeralIp: true }),

  ci('runner-1', 'x86-64 builds', 118, [8, 16, 100]),
  ci('runner-2', 'x86-64 builds', 118, [8, 16, 100]),
  ci('runner-3', 'x86-64 builds', 52, [8, 16, 100], { state: 'stopping' }),
  ci('runner-4', 'x86-64 builds', 23, [8, 16, 100], { state: 'failed', neverRestart: true }),
  ci('runner-5', 'x86-64 builds', 0.0005, [8, 16, 100], { state: 'creating' }),
  ci('build-cache', 'Compiler and container layers', 117, [4, 16, 40, 500], {
    image: 'debian-13',
  }),

  farm('scheduler', 'Hands out frames', 63, [4, 8, 20], { network: ['farm', 'nodes-a'] }),
  farm('scenes-1', 'NFS', 63, [4, 16, 20], { network: ['farm', 'storage'] }),
  farm('scenes-2', 'NFS', 63, [4, 16, 20], { network: ['farm', 'storage'] }),
  farm('frames', 'NFS', 63, [4, 16, 20], { network: ['farm', 'storage'] }),
  ...renderNodes,
]

/**
 * Packages installed by the user data of some instances: simulated guests listen on their ports.
 */
export const packages: Record<string, string> = {
  'web-1': 'nginx',
  'web-2': 'nginx',
  'web-3': 'nginx',
  'staging-web': 'nginx',
  'api-1': 'caddy',
  'api-2': 'caddy',
  'checkout-1': 'caddy',
  'checkout-2': 'caddy',
  'search-1': 'opensearch',
  'search-2': 'opensearch',
  'orders-db': 'postgresql-18',
  'session-cache': 'valkey',
  'postgres-primary': 'postgresql-18',
  'postgres-replica': 'postgresql-18',
  'clickhouse-1': 'clickhouse-server',
  'clickhouse-2': 'clickhouse-server',
  'scenes-1': 'nfs-kernel-server',
  'scenes-2': 'nfs-kernel-server',
  frames: 'nfs-kernel-server',
}
