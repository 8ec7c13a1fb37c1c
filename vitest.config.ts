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
  'audit-secrets',
  'bad-input',
  'bgp',
  'certificates',
  'collection',
  'conventions',
  'detach-jobs',
  'device-auth',
  'disk-import',
  'display',
  'engines',
  'events',
  'failing-steps',
  'firewall-rules',
  'floating-ips',
  'groups',
  'guest-network',
  'hardware',
  'health',
  'identities',
  'identity-providers',
  'image-downloads',
  'images',
  'instance-create',
  'instances',
  'internet-gateways',
  'job-plans',
  'jobs',
  'local-users',
  'login-pages',
  'lost-contents',
  'matrix',
  'metrics',
  'multicast',
  'multicast-groups',
  'network-changes',
  'network-plans',
  'networking-settings',
  'own-password',
  'own-sessions',
  'placement',
  'policies',
  'probes',
  'reachability',
  'routers',
  'saml-*',
  'schema',
  'scim*',
  'serial-console',
  'sign-in',
  'silo-isolation',
  'silos',
  'sleds',
  'snapshots',
  'ssh-keys',
  'stars',
  'subnet-pools',
  'support-bundles',
  'switch-ports',
  'throttle',
  'timeseries',
  'timeseries-queries',
  'tls',
  'update-repositories',
  'updates',
  'user-endings',
  'versions',
  'vpcs',
  'webhooks',
]

/**
 * Locks and races, run with two servers that take the calls in turn; the long tests run them with one
 * server as well.
 */
const raceFiles = [
  'deletion-jobs',
  'disk-import-races',
  'event-order',
  'external-ips',
  'ip-pool-worlds',
  'quota',
  'races',
  'scim-races',
]
/**
 * Further files for two servers. The others change the inside of a server, or are about caches of a
 * second.
 */
const moreFiles = [
  'affinity',
  'audit-log',
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
  'pagination',
  'subnets',
]
const sharedFiles = long ? [...raceFiles, ...moreFiles] : raceFiles

/** These add schemas to the contract, or replace a global before a module reads it. */
const isolatedTests =
  'packages/*/test/**/{contract-shapes,query-history,transport,versions}.test.ts'

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
const hang = 240_000
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
      globalSetup: [processSetup],
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
      globalSetup: missing ? [processSetup] : [processSetup, postgresSetup],
      ...patience,
      pool: 'threads',
      isolate: false,
    },
  },
  // The matrix calls every operation over SQLite.
  variant('sqlite', 'sqlite', { exclude: long ? [] : [apiTestsOf(['every-operation'])] }),
]

// In CI the variant is kept, and fails: a green run means that both databases were tested.
if (!missing || process.env.CI === 'true') {
  const exclude = long ? [] : [apiTestsOf([...sameOverBoth, ...raceFiles])]
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
  test: { projects, maxWorkers: availableParallelism() + 1 },
})
