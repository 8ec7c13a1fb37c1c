import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { machinesMissing } from './packages/libvirt/test/support/libvirt.ts'
import { frrMissing } from './packages/frr/test/support/world.ts'
import { ovnMissing } from './packages/ovn/test/support/open-world.ts'
import { rootlessMissing } from './packages/rootless/test/support/missing.ts'
import { patroniMissing } from './packages/node/test/failover/missing.ts'
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
 * Files that `npm test` also runs over PostgreSQL: searches, locks and leases.
 * `every-operation` stands for the others, whose SQL is plain; the long tests run all of them.
 */
const postgresFiles = [
  'collector-lease',
  'every-operation',
  'find',
  'leases',
  'several-servers',
  'text-index',
]

/**
 * Locks and races, run with two servers that take the calls in turn; the long tests run them with one
 * server as well.
 */
const raceFiles = ['event-order', 'quota', 'races']
/**
 * Further files for two servers. The others change the inside of a server, or are about caches of a
 * second.
 */
const moreFiles = [
  'affinity',
  'audit-log',
  'deletion-jobs',
  'disk-import-races',
  'deleted-resources',
  'disks',
  'external-ips',
  'external-subnets',
  'floating-ips',
  'host-fencing',
  'image-downloads',
  'images',
  'instance-create',
  'ip-pool-worlds',
  'ip-pools',
  'kept-room',
  'lists',
  'names',
  'network-interfaces',
  'notes',
  'pagination',
  'scim-races',
  'setting-versions',
  'subnets',
  'tags',
]
const sharedFiles = long ? [...raceFiles, ...moreFiles] : raceFiles

/** These add schemas to the contract, or replace a global before a module reads it. */
const isolatedTests =
  'packages/*/test/**/{contract-shapes,query-history,transport,usual,versions}.test.ts'

/**
 * Whole files that `npm test` leaves out, with others of their sort that stand for them: random
 * worlds, kills during further kinds of work, damage, outages and full disks, and further parts of
 * real machines.
 */
const variantFiles = [
  'packages/control-plane/test/{address-blocks,address-space,instance-networks}.test.ts',
  'packages/control-plane/test/api/**/{audit-secrets,deletion-worlds,token-matrix}.test.ts',
  'packages/control-plane/test/api/maintenance/{support-bundles,updates}.test.ts',
  'packages/libvirt/test/machines/{backup,displays,full-disk,hosts,lasting,uefi}.test.ts',
  'packages/libvirt/test/hosts/added-hosts.test.ts',
  'packages/libvirt/test/volumes/{backup-of-pools,conformance,formats,images,kill,place,silent-pools}.test.ts',
  'packages/node/test/kill/{collector,deleted-resources,image-downloads,instance-clones,instance-templates,moves,notifications,schedules,scim,sleds,support-bundles,updates,usage,webhooks}.test.ts',
  'packages/node/test/{backup-damage,backup-versions,damaged-database,database-outage,strangers}.test.ts',
  'packages/time-series/test/{kill/time-series,victoria-metrics}.test.ts',
]
const left = long ? [] : variantFiles

/** Tests that run QEMU's programs. */
const machineTests = 'packages/libvirt/test/{machines,volumes}/**/*.test.ts'
/** Hosts in namespaces, with a libvirt of their own each. */
const hostTests = 'packages/{libvirt,node}/test/hosts/**/*.test.ts'
/** These also kill libvirt's daemon. */
const attackTests = 'packages/node/test/machines/**/*.test.ts'

/** Slower than unit tests: real processes, killed or started on the data of earlier versions. */
const processTests = 'packages/*/test/{kill,upgrades}/**/*.test.ts'
/** A Patroni cluster that fails over. */
const failoverTests = 'packages/node/test/failover/**/*.test.ts'
/** Installations from scratch and from a release, and a kind added to a copy by the recipe. */
const longTests = 'packages/node/test/{fresh-clone,release,example}/**/*.test.ts'

/**
 * Timeout in milliseconds that only ends hangs: a slow or busy machine makes tests slow, not wrong.
 */
const hang = 600_000
const patience = {
  // Tests at the end of a file look at what all before them have logged.
  clearMocks: false,
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
      exclude: [
        apiTests,
        machineTests,
        hostTests,
        attackTests,
        processTests,
        longTests,
        failoverTests,
        isolatedTests,
        ...left,
      ],
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
    exclude: long ? [] : [apiTestsOf(['every-operation', ...raceFiles]), ...left],
  }),
]

// In CI the variant is kept, and fails: a green run means that both databases were tested.
if (!missing || process.env.CI === 'true') {
  const include = long ? apiTests : apiTestsOf(postgresFiles)
  projects.push(variant('postgres', 'postgres', { include }))
  const shared = apiTestsOf(sharedFiles)
  projects.push(variant('two servers', 'postgres', { servers: 2, include: shared }))
} else {
  console.warn(`The tests on PostgreSQL are left out: ${missing}.`)
}

const withoutMachines = machinesMissing()
if (withoutMachines === undefined) {
  const machines: TestProjectConfiguration['test'] = {
    name: 'machines',
    include: [machineTests, hostTests],
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

const withoutOvn = ovnMissing()
if (withoutOvn !== undefined) {
  console.warn(`The tests with an OVN are left out: ${withoutOvn}.`)
}

const withoutFrr = frrMissing()
if (withoutFrr !== undefined) {
  console.warn(`The tests with FRR are left out: ${withoutFrr}.`)
}

const withoutRootless = rootlessMissing()
if (withoutRootless !== undefined) {
  console.warn(`The tests with a host without root are left out: ${withoutRootless}.`)
}

// After all others: Patroni decides by time, so nothing else may keep the processors from it.
if (long && patroniMissing() === undefined) {
  projects.push({
    test: {
      name: 'failover',
      include: [failoverTests],
      globalSetup: [processSetup],
      fileParallelism: false,
      sequence: { groupOrder: 2 },
      ...patience,
    },
  })
}

export default defineConfig({
  // Tests wait for the disk, the other end, or a timer. Each worker imports the product for itself.
  test: { projects, testNamePattern, maxWorkers: availableParallelism() + 2 },
})
