/**
 * Three servers on the PostgreSQL of a Patroni cluster, while a part fails: everything that was
 * acknowledged is there afterwards, exactly once, and nothing waits any more.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { random } from '../../../control-plane/test/support/random.ts'
import { PASSWORD, type RunningServer, signIn, startProcess } from '../support/process.ts'
import { haproxy } from './missing.ts'
import { type Member, type PatroniCluster, startCluster } from './patroni-cluster.ts'
import { compare, figuresOf, startWriters } from './writers.ts'

const SERVERS = 3
/** Acknowledged writes before a fault, and after the recovery from it. */
const BEFORE = 60
const AFTER = 300

let home: string
let cluster: PatroniCluster
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'steading-failover-'))
  cluster = await startCluster(home)
  await cluster.ask('postgres', 'create database steading')
})
afterAll(async () => {
  await cluster.stop()
  await rm(home, { recursive: true, force: true })
})

/** Three servers, any of which may be replaced or suspended. */
interface Cloud {
  cookie: string
  /** The members that a load balancer would use. */
  urls: () => string[]
  /** SIGKILL for a server; another one takes its place. */
  replace: (index: number) => Promise<void>
  suspend: (index: number) => void
  resume: (index: number) => void
  /** Everything logged by all servers. */
  log: () => string
}

async function startCloud(databaseUrl: string): Promise<Cloud> {
  const args = ['--data', join(home, 'data'), '--database-url', databaseUrl]
  const start = () => startProcess(args, { STEADING_ADMIN_PASSWORD: PASSWORD })
  const servers: RunningServer[] = []
  while (servers.length < SERVERS) servers.push(await start())
  const ended: RunningServer[] = []
  const suspended = new Set<number>()
  const cookie = await signIn(servers[0]!.url)
  // The first trial creates it for all.
  await fetch(`${servers[0]!.url}/v1/projects`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'work', description: '' }),
  })
  return {
    cookie,
    urls: () => servers.filter((_, index) => !suspended.has(index)).map(({ url }) => url),
    async replace(index) {
      ended.push(servers[index]!)
      suspended.add(index)
      await servers[index]!.end('SIGKILL')
      servers[index] = await start()
      suspended.delete(index)
    },
    suspend(index) {
      suspended.add(index)
      process.kill(servers[index]!.pid, 'SIGSTOP')
    },
    resume(index) {
      process.kill(servers[index]!.pid, 'SIGCONT')
      suspended.delete(index)
    },
    log: () => [...ended, ...servers].map((server) => server.log()).join(''),
  }
}

/** Lines that a fault may leave in the log, any number of times. */
const expectedLines = [
  /cannot reach the database; calls are answered with 503 until it is back/,
  /reaches the database again/,
  /refused calls wait for the audit log/,
  /the audit log has the calls that were refused/,
]

/**
 * Lets users write before, during and after a fault, and compares what they were told with what is
 * there.
 * @param fault breaks something
 * @param repair undoes it, after writes have succeeded again
 * @returns what was answered wrongly, and the log of the servers
 */
async function trial(
  title: string,
  fault: (cloud: Cloud) => Promise<void> | void,
  repair: (cloud: Cloud) => Promise<void> | void = () => {},
  databaseUrl = cluster.databaseUrl('steading'),
): Promise<{ wrong: string[]; log: string }> {
  await cluster.settled()
  const cloud = await startCloud(databaseUrl)
  const writers = startWriters(cloud.urls, cloud.cookie)
  await writers.acknowledged(BEFORE)
  const faultAt = performance.now()
  await fault(cloud)
  await writers.acknowledged(AFTER)
  const repairedAt = performance.now()
  await repair(cloud)
  await cluster.settled()
  await writers.acknowledged(BEFORE)
  const writes = await writers.stop()
  const { wrong, unknown } = await compare(writes, (sql) => cluster.ask('steading', sql))
  const log = cloud.log()
  const others = log
    .split('\n')
    .filter((line) => line !== '' && !expectedLines.some((expected) => expected.test(line)))
  console.log(
    [
      title,
      ...figuresOf(writes, faultAt, repairedAt),
      `lost, there twice, or answered wrongly: ${wrong.length}; without a certain answer, and there: ${unknown}`,
      `further lines of the log: ${others.length}`,
      ...others.slice(0, 5).map((line) => line.slice(0, 250)),
    ].join('\n  '),
  )
  // A caller who is told to try again is told when.
  const unsaid = writes.filter(({ status, retryAfter }) => status === 503 && !retryAfter)
  return { wrong: [...wrong, ...unsaid.map(({ name }) => `${name}: 503 without Retry-After`)], log }
}

const anotherThan = (member: Member): Member =>
  (((member + Math.floor(random() * 2)) % 3) + 1) as Member

test('the primary is killed @long', async () => {
  const leader = await cluster.leader()
  const { wrong, log } = await trial(
    'the primary is killed',
    () => cluster.kill(leader),
    () => cluster.start(leader),
  )
  expect(wrong).toEqual([])
  expect(log).not.toContain('ContentionError')
})

test.runIf(haproxy)('the primary behind HAProxy is killed @long', async () => {
  const leader = await cluster.leader()
  const { wrong, log } = await trial(
    'the primary behind HAProxy is killed',
    () => cluster.kill(leader),
    () => cluster.start(leader),
    await cluster.proxiedUrl('steading'),
  )
  expect(wrong).toEqual([])
  expect(log).not.toContain('ContentionError')
})

/**
 * Resets a host that hangs, as a watchdog does. Without it, Patroni 3.0 may go on where it hung, take
 * the leadership back, and discard what its successor has acknowledged.
 */
const reset = async (member: Member) => {
  await cluster.kill(member)
  cluster.start(member)
}

test('the host of the primary hangs, and is reset @long', async () => {
  const leader = await cluster.leader()
  const { wrong, log } = await trial(
    'the host of the primary hangs',
    () => cluster.freeze(leader),
    () => reset(leader),
  )
  expect(wrong).toEqual([])
  expect(log).not.toContain('ContentionError')
})

test('Patroni of the primary hangs, and there are two primaries @long', async () => {
  const leader = await cluster.leader()
  const { wrong } = await trial(
    'two primaries',
    async () => {
      cluster.freezePatroni(leader)
      await cluster.replaced(leader)
    },
    () => reset(leader),
  )
  expect(wrong).toEqual([])
})

test('the primary is switched over @long', async () => {
  const { wrong, log } = await trial('a switchover', () => cluster.switchover())
  expect(wrong).toEqual([])
  expect(log).not.toContain('ContentionError')
})

test('the synchronous standby hangs, and comes back @long', async () => {
  const standby = await cluster.synchronousStandby()
  const { wrong } = await trial(
    'the synchronous standby hangs',
    () => cluster.freeze(standby),
    () => cluster.thaw(standby),
  )
  expect(wrong).toEqual([])
})

test('a standby is killed @long', async () => {
  const standby = anotherThan(await cluster.leader())
  const { wrong } = await trial(
    'a standby is killed',
    () => cluster.kill(standby),
    () => cluster.start(standby),
  )
  expect(wrong).toEqual([])
})

test('a member of etcd is killed @long', async () => {
  const member = (Math.floor(random() * 3) + 1) as Member
  const { wrong } = await trial(
    'a member of etcd is killed',
    () => cluster.killEtcd(member),
    () => cluster.startEtcd(member),
  )
  expect(wrong).toEqual([])
})

test('the servers are killed one after the other @long', async () => {
  const { wrong } = await trial('the servers are killed', async ({ replace }) => {
    for (let index = 0; index < SERVERS; index++) await replace(index)
  })
  expect(wrong).toEqual([])
})

test('a server hangs, and comes back @long', async () => {
  const victim = Math.floor(random() * SERVERS)
  const { wrong } = await trial(
    'a server hangs',
    ({ suspend }) => suspend(victim),
    ({ resume }) => resume(victim),
  )
  expect(wrong).toEqual([])
})
