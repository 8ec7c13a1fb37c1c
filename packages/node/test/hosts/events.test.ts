/**
 * A cloud of several hosts to which everything happens that may: hosts, servers, libvirt, QEMU and the
 * database are killed, hosts are cut off, instances move. Guests that count on their disks show that
 * none ever ran twice, and users who write meanwhile that nothing acknowledged was lost.
 */
import { expect, onTestFailed, onTestFinished, test } from 'vitest'
import { postgresMissing } from '../../../control-plane/test/support/postgres.ts'
import { compare, startWriters } from '../failover/writers.ts'
import {
  type EventfulCloud,
  eventually,
  happens,
  randomEvents,
  rest,
} from '../support/cloud-events.ts'
import { openCloud } from '../support/cloud-of-hosts.ts'
import { startCounting } from '../support/counting-instances.ts'
import { everyServer } from '../support/every-server.ts'
import { ownDatabase } from '../support/own-database.ts'
import { powerSwitchesMissing, withPowerSwitches } from '../support/powered-hosts.ts'
import { temporaryDirectory } from '../support/process.ts'
import { clocksMissing, createClock } from '../support/server-clocks.ts'

/** `npm test` has the smallest cloud in which all of it can happen. */
const SIZE =
  process.env.STEADING_LONG_TESTS === '1'
    ? { hosts: 3, instances: ['one', 'two', 'three'], events: 20 }
    : { hosts: 2, instances: ['one', 'two'], events: 3 }
/** `npm run test:hosts` asks for 200. */
const EVENTS = Number(process.env.STEADING_EVENTS ?? SIZE.events)
const SERVERS = 2
/** Ends a run that hangs: for each event with the rest after it, the start and the end. Milliseconds. */
const EVENT_MS = 600_000

const missing = powerSwitchesMissing() ?? postgresMissing()
if (missing !== undefined) console.warn(`Events of a cloud of hosts are left out: ${missing}.`)
else if (clocksMissing() !== undefined)
  console.warn(`Events of the clocks of servers are left out: ${clocksMissing()}.`)

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** A cloud with counting guests, all of whose parts can be killed. */
async function openEventfulCloud() {
  const { postgres, ask } = await ownDatabase()
  const clocks =
    clocksMissing() === undefined ? Array.from({ length: SERVERS }, () => createClock(0)) : []
  const opened = await openCloud(SIZE.hosts, {
    clocks,
    open: async () => ({ data: temporaryDirectory(), databaseUrl: postgres.url, ask }),
    servers: SERVERS,
    variables: { STEADING_AUTO_RESTART_COOLDOWN: '1' },
  })
  const { servers } = opened
  const hosts = await withPowerSwitches(opened)
  const dead = new Set<number>()
  const logs: string[] = []
  const urls = () => servers.hosts.filter((_, index) => !dead.has(index)).map(({ url }) => url)
  const every = everyServer(urls, servers.cookie)
  const counting = await startCounting(every, SIZE.instances)
  const cloud: EventfulCloud = {
    ...every,
    hosts,
    instances: counting.instances,
    servers: SERVERS,
    async killServer(index) {
      dead.add(index)
      await servers.kill(index)
      logs.push(servers.hosts[index]!.log())
    },
    async restartServer(index) {
      await servers.restart(index)
      dead.delete(index)
    },
    suspendServer(index) {
      dead.add(index)
      servers.hosts[index]!.signal('SIGSTOP')
    },
    resumeServer(index) {
      servers.hosts[index]!.signal('SIGCONT')
      dead.delete(index)
    },
    setClock: (index, minutes) => clocks[index]!.set(minutes),
    askEach: <T>(path: string) =>
      Promise.all(
        urls().map((url) => everyServer(() => [url], servers.cookie).call<T>('GET', path)),
      ),
    readReports: counting.read,
    killDatabase: () => postgres.stop('SIGKILL'),
    // Processes of the killed one may hold its memory for a moment.
    restartDatabase: () =>
      eventually(
        () => postgres.start(),
        () => {},
      ),
  }
  onTestFailed(() => {
    const all = [...logs, ...servers.hosts.map(({ log }) => log())]
    console.error(all.map((log) => log.slice(-20_000)).join('\n--- the next server ---\n'))
  })
  return { cloud, counting, urls, cookie: servers.cookie, ask }
}

test.skipIf(missing !== undefined)(
  `${EVENTS} events in random order: no guest runs twice, and nothing acknowledged is lost`,
  { timeout: EVENT_MS * (EVENTS + 2) },
  async () => {
    const begun = performance.now()
    const events = randomEvents(EVENTS)
    const { cloud, counting, urls, cookie, ask } = await openEventfulCloud()
    await rest(cloud)
    console.info(
      `${SIZE.hosts} hosts, ${SERVERS} servers and ${SIZE.instances.length} guests: ${seconds(begun)}`,
    )

    const writers = startWriters(urls, cookie, {
      writers: 2,
      betweenMs: 2_000,
      choice: [...Array<'project' | 'ssh_key'>(8).fill('project').fill('ssh_key', 4), 'disk'],
    })
    onTestFinished(async () => void (await writers.stop()))
    let longest = 0
    for (const [index, event] of events.entries()) {
      const began = performance.now()
      await happens(cloud, event)
      const over = performance.now()
      await rest(cloud)
      longest = Math.max(longest, performance.now() - over)
      const times = `${seconds(began)}, at rest ${seconds(over)} after it`
      console.info(`${seconds(begun)}: event ${index + 1}, ${event.kind}: ${times}`)
    }
    const writes = await writers.stop()
    const { wrong, unknown } = await compare(writes, ask)
    const checked = await counting.check()
    const acknowledged = writes.filter(({ status }) => status === 201).length
    console.info(
      `${EVENTS} events in ${seconds(begun)}, at rest ${(longest / 1000).toFixed(1)} s after them at the latest; ${acknowledged} of ${writes.length} writes acknowledged, ${unknown} further ones there`,
      ...checked.map(({ name, records, boots }) => `\n${name}: ${records} records, ${boots} boots`),
    )
    expect(wrong).toEqual([])
    expect(acknowledged).toBeGreaterThan(0)
    for (const { faults, records, boots } of checked) {
      expect(faults).toEqual([])
      expect(records).toBeGreaterThan(boots)
    }
  },
)
