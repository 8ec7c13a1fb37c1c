import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { postgresMissing } from './packages/control-plane/test/support/postgres.ts'

const apiTests = 'packages/control-plane/test/api/**/*.test.ts'

/**
 * Also run with two servers that take the calls in turn. The other files change the inside of a
 * server, or are about what a server trusts for a second.
 */
const sharedTests = `packages/control-plane/test/api/{${[
  'affinity',
  'audit-log',
  'deletion-jobs',
  'disk-import',
  'disks',
  'event-order',
  'external-ips',
  'external-subnets',
  'floating-ips',
  'images',
  'instance-create',
  'ip-pool-worlds',
  'ip-pools',
  'lists',
  'names',
  'network-interfaces',
  'pagination',
  'quota',
  'races',
  'scim-patch',
  'subnets',
].join(',')}}.test.ts`

/** Slower than unit tests: real processes, killed many times or installed from scratch. */
const processTests = 'packages/node/test/{kill,fresh-clone,example,upgrades}/**/*.test.ts'

/** Generous: a busy machine makes tests slow, not wrong. Milliseconds. */
const testTimeout = 60_000

/**
 * The same tests over HTTP against each database. Files share what they import, which is most of
 * the time they would take; each has a server and a database of its own.
 */
const variant = (
  name: string,
  dialect: 'sqlite' | 'postgres',
  { servers = 1, include = apiTests } = {},
): TestProjectConfiguration => ({
  test: {
    name,
    include: [include],
    provide: { dialect, servers },
    globalSetup: dialect === 'postgres' ? [postgresSetup] : [],
    pool: 'threads',
    isolate: false,
    testTimeout,
    hookTimeout: testTimeout,
  },
})

const missing = postgresMissing()
const postgresSetup = 'packages/control-plane/test/support/postgres-setup.ts'

const projects: TestProjectConfiguration[] = [
  {
    test: {
      name: 'unit',
      include: ['packages/*/test/**/*.test.{ts,tsx}'],
      exclude: [apiTests, processTests],
      testTimeout,
      hookTimeout: testTimeout,
    },
  },
  {
    test: {
      name: 'processes',
      include: [processTests],
      globalSetup: missing ? [] : [postgresSetup],
      pool: 'threads',
      isolate: false,
    },
  },
  variant('sqlite', 'sqlite'),
]

// In CI the variant is kept, and fails: a green run means that both databases were tested.
if (!missing || process.env.CI === 'true') {
  projects.push(variant('postgres', 'postgres'))
  projects.push(variant('two servers', 'postgres', { servers: 2, include: sharedTests }))
} else {
  console.warn(`The tests on PostgreSQL are left out: ${missing}.`)
}

export default defineConfig({
  // Tests wait half of their time: for the disk, for the other end, for a timer.
  test: { projects, maxWorkers: availableParallelism() + 1 },
})
