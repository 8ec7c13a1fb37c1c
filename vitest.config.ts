import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { machinesMissing } from './packages/libvirt/test/support/libvirt.ts'
import { postgresMissing } from './packages/control-plane/test/support/postgres.ts'

const apiTests = 'packages/{control-plane,simulator}/test/api/**/*.test.ts'

/** `npm run test:long`: more kills and random worlds, and everything over both databases. */
const long = process.env.STEADING_LONG_TESTS === '1'
if (long) {
  process.env.KILLS ??= '50'
  process.env.DELETION_RUNS ??= '500'
}

/** Tests that `npm test` leaves out end their title with this. */
const testNamePattern = long ? undefined : /^(?!.*@long$)/

const apiTestsOf = (names: readonly string[]): string =>
  `packages/{control-plane,simulator}/test/api/**/{${names.join(',')}}.test.ts`

/**
 * Single operations, protocols, and work of engines: the SQL is plain, and the rest is about the
 * transport, the contract and bytes, which are the same over both databases. Over PostgreSQL,
 * `every-operation` stands for them in `npm test`; the long tests run them there as well. Searches,
 * lists, sums, plans of deletions, locks, races, texts and JSON are not among them.
 */
const sameOverBoth = [
  'access',
  'access-tokens',
  'address-lots',
  'affinity',
  'alert-rules',
  'allow-list',
  'audit-log',
  'audit-secrets',
  'bad-input',
  'bgp',
  'certificates',
  'collection',
  'conventions',
  'dashboards',
  'detach-jobs',
  'device-auth',
  'disk-import',
  'disks',
  'display',
  'engines',
  'entity-tags',
  'events',
  'external-subnets',
  'failing-steps',
  'firewall-rules',
  'floating-ips',
  'groups',
  'guest-network',
  'guests-of-two-servers',
  'hardware',
  'health',
  'hosts',
  'identities',
  'identity-providers',
  'image-downloads',
  'images',
  'instance-create',
  'instances',
  'internet-gateways',
  'ip-pools',
  'issues',
  'job-plans',
  'job-runs',
  'jobs',
  'local-users',
  'login-pages',
  'lost-contents',
  'matrix',
  'metrics',
  'moves',
  'multicast',
  'multicast-groups',
  'network-changes',
  'network-deletion',
  'network-interfaces',
  'network-plans',
  'networking-settings',
  'notes',
  'notifications',
  'overview',
  'own-actions',
  'oidc-*',
  'own-password',
  'own-sessions',
  'pagination',
  'placement',
  'policies',
  'pool-deletion',
  'preconditions',
  'probes',
  'projects',
  'reachability',
  'reconcile',
  'routers',
  'saml-*',
  'schedules',
  'schema',
  'scim*',
  'scrub',
  'selectors',
  'service-accounts',
  'second-factors',
  'serial-console',
  'sign-in',
  'silo-isolation',
  'silos',
  'sled-maintenance',
  'sleds',
  'snapshots',
  'ssh-keys',
  'stars',
  'subnet-pools',
  'subnets',
  'support-bundles',
  'switch-ports',
  'throttle',
  'timeseries',
  'timeseries-queries',
  'tls',
  'token-limits',
  'token-matrix',
  'update-repositories',
  'updates',
  'user-endings',
  'versions',
  'views',
  'vpcs',
  'webhooks',
]

/**
 * Locks and races, run with two servers that take the calls in turn; the long tests run them with one
 * server as well.
 */
const raceFiles = ['event-order', 'ip-pool-worlds', 'quota', 'races', 'scim-races']
/** Further races, which `npm test` runs with one server over SQLite. */
const moreRaces = ['deletion-jobs', 'disk-import-races', 'external-ips']
/**
 * Further files for two servers. The others change the inside of a server, or are about caches of a
 * second.
 */
const moreFiles = [
  ...moreRaces,
  'affinity',
  'audit-log',
  'deleted-resources',
  'disks',
  'external-subnets',
  'floating-ips',
  'image-downloads',
  'images',
  'instance-create',
  'ip-pools',
  'lists',
  'names',
  'network-interfaces',
  'notes',
  'pagination',
  'subnets',
  'tags',
]
const sharedFiles = long ? [...raceFiles, ...moreFiles] : raceFiles

/** These add schemas to the contract, or replace a global before a module reads it. */
const isolatedTests =
  'packages/*/test/**/{contract-shapes,query-history,transport,versions}.test.ts'

/**
 * Whole files that `npm test` leaves out: kills of servers during further kinds of work, and further
 * parts of real machines. `kill`, `servers` and `image-downloads` stand for the former, `engines`,
 * `images`, `networks` and `volumes` for the latter.
 */
const variantFiles = [
  'packages/node/test/kill/{collector,scim,sleds,support-bundles,updates,webhooks}.test.ts',
  'packages/libvirt/test/machines/{backup,displays,full-disk,hosts,lasting,uefi}.test.ts',
  'packages/libvirt/test/volumes/{formats,kill,place}.test.ts',
]
const left = long ? [] : variantFiles

/** Tests that run QEMU's programs. */
const machineTests = 'packages/libvirt/test/{machines,volumes}/**/*.test.ts'
/** These also kill libvirt's daemon. */
const attackTests = 'packages/node/test/machines/**/*.test.ts'

/** Slower than unit tests: real processes, killed or started on the data of earlier versions. */
const processTests = 'packages/*/test/{kill,upgrades}/**/*.test.ts'
/** Installations from scratch and from a release, and a kind added to a copy by the recipe. */
const longTests = 'packages/node/test/{fresh-clone,release,example}/**/*.test.ts'

/**
 * Timeout in milliseconds that only ends hangs: a slow or busy machine makes tests slow, not wrong.
 */
const hang = 600_000
const patience = {
  testTimeout: hang,
  hookTimeout: hang,
  // The default is a second.
  expect: { poll: { timeout: hang / 2 } },
}

/**
 * The same tests over HTTP with each database. Files share imported modules, because importing
 * would take most of their time; each has its own server and database.
 */
const variant = (
  name: string,
  dialect: 'sqlite' | 'postgres',
  { servers = 1, include = apiTests, exclude = [] as string[] } = {},
): TestProjectConfiguration => ({
  test: {
    name,
    include: [include],
    exclude,
    provide: { dialect, servers },
    globalSetup: dialect === 'postgres' ? [postgresSetup] : [],
    pool: 'threads',
    isolate: false,
    ...patience,
  },
})

const missing = postgresMissing()
const postgresSetup = 'packages/control-plane/test/support/postgres-setup.ts'
/** Setup of tests that start servers as processes. */
const processSetup = 'packages/node/test/support/process-setup.ts'

const projects: TestProjectConfiguration[] = [
  {
    test: {
      name: 'unit',
      include: ['packages/*/test/**/*.test.{ts,tsx}'],
      exclude: [apiTests, machineTests, attackTests, processTests, longTests, isolatedTests],
      globalSetup: [processSetup, 'packages/demo/test/support/filled-setup.ts'],
      pool: 'threads',
      isolate: false,
      ...patience,
    },
  },
  {
    test: {
      name: 'isolated',
      include: [isolatedTests],
      exclude: [apiTests],
      ...patience,
    },
  },
  {
    test: {
      name: 'processes',
      include: long ? [processTests, longTests] : [processTests],
      exclude: left,
      globalSetup: missing ? [processSetup] : [processSetup, postgresSetup],
      ...patience,
      pool: 'threads',
      isolate: false,
    },
  },
  // The matrix calls every operation over SQLite.
  variant('sqlite', 'sqlite', {
    exclude: long ? [] : [apiTestsOf(['every-operation', ...raceFiles])],
  }),
]

// In CI the variant is kept, and fails: a green run means that both databases were tested.
if (!missing || process.env.CI === 'true') {
  const exclude = long ? [] : [apiTestsOf([...sameOverBoth, ...raceFiles, ...moreRaces])]
  projects.push(variant('postgres', 'postgres', { exclude }))
  const include = apiTestsOf(sharedFiles)
  projects.push(variant('two servers', 'postgres', { servers: 2, include }))
} else {
  console.warn(`The tests on PostgreSQL are left out: ${missing}.`)
}

const withoutMachines = machinesMissing()
if (withoutMachines === undefined) {
  const machines: TestProjectConfiguration['test'] = {
    name: 'machines',
    include: [machineTests],
    exclude: left,
    provide: { dialect: 'sqlite', servers: 1 },
    globalSetup: [
      'packages/libvirt/test/support/machines-setup.ts',
      processSetup,
      ...(missing ? [] : [postgresSetup]),
    ],
    ...patience,
  }
  projects.push({ test: machines })
  // After all others, because the daemon belongs to the host.
  const alone = { fileParallelism: false, sequence: { groupOrder: 1 } }
  if (long) {
    projects.push({ test: { ...machines, ...alone, name: 'attacks', include: [attackTests] } })
  }
} else {
  console.warn(`The tests with real machines are left out: ${withoutMachines}.`)
}

export default defineConfig({
  // Tests wait half of their time: for the disk, the other end, or a timer.
  test: { projects, testNamePattern, maxWorkers: availableParallelism() + 3 },
})
