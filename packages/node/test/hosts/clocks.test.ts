/**
 * A cloud of hosts whose servers do not agree on the time: one shows seven minutes more than the
 * database, the other one seven minutes less, and both clocks are set while things happen. Nothing
 * that decides about a host or a guest may be by these clocks.
 */
import type { Wire } from '@steading/api'
import { expect, test } from 'vitest'
import { FENCED_STORY } from '../../../control-plane/test/support/hosts.ts'
import { postgresMissing } from '../../../control-plane/test/support/postgres.ts'
import { eventually } from '../support/cloud-events.ts'
import { domainsOn, openCloud } from '../support/cloud-of-hosts.ts'
import { startCounting } from '../support/counting-instances.ts'
import { everyServer } from '../support/every-server.ts'
import { ownDatabase } from '../support/own-database.ts'
import { powerSwitchesMissing, withPowerSwitches } from '../support/powered-hosts.ts'
import { temporaryDirectory } from '../support/process.ts'
import { clocksMissing, createClock } from '../support/server-clocks.ts'

const missing = powerSwitchesMissing() ?? clocksMissing() ?? postgresMissing()
if (missing !== undefined) console.warn(`Clocks of a cloud of hosts are left out: ${missing}.`)

/** Minutes by which the clocks of the servers are ahead. */
const APART = [7, -7]
/** Minutes until a session ends that is not used: fewer than the clocks are apart. */
const SESSION_IDLE = '5'

test.skipIf(missing !== undefined)(
  'a guest runs once while the clocks of servers are minutes apart: it moves, and its host dies @long',
  async () => {
    const clocks = APART.map(createClock)
    const ofDatabase = createClock(0)
    const { postgres, ask } = await ownDatabase(ofDatabase.variables)
    const cloud = await openCloud(2, {
      open: async () => ({ data: temporaryDirectory(), databaseUrl: postgres.url, ask }),
      servers: APART.length,
      clocks,
      variables: { STEADING_SESSION_IDLE: SESSION_IDLE, STEADING_AUTO_RESTART_COOLDOWN: '1' },
    })
    const { servers, added } = cloud
    const hosts = await withPowerSwitches(cloud)
    // Servers answer in turn, so each session was last used at the other clock.
    let turn = 0
    const urls = () => {
      turn++
      return servers.hosts.map((_, index) => servers.hosts[(index + turn) % APART.length]!.url)
    }
    const every = everyServer(urls, servers.cookie)
    const { call } = every
    const counting = await startCounting(every, ['one'])
    const [instance] = counting.instances
    const { id } = instance!
    const position = () => call<Wire.InstanceSledView>('GET', `/x/v1/instances/${id}/sled`)
    const storyOf = async (at: number) => {
      const place = `/x/v1/system/hosts/${added[at]!.id}/story`
      return (await call<Wire.HostStory>('GET', place)).events
    }
    const hasCounted = () => counting.countsOn(instance!)
    await hasCounted()

    const { sled } = await position()
    const from = hosts.findIndex(({ sledId }) => sledId === sled!.id)
    const to = 1 - from
    await call('POST', `/x/v1/system/hardware/sleds/${sled!.id}/instances/${id}/move`, {
      sled_id: hosts[to]!.sledId,
    })
    clocks[0]!.set(-20)
    clocks[1]!.set(20)
    await eventually(position, (seen) =>
      expect(seen).toMatchObject({ sled: { id: hosts[to]!.sledId }, move: { state: 'moved' } }),
    )
    await hasCounted()

    // A time of a server's own clock would be seven minutes ahead, and more.
    const ahead = await ask(`
      select resource, action, time from event
      where cast(time as timestamptz) > clock_timestamp() + interval '1 minute'`)
    expect(ahead).toEqual([])

    // A failover may lead to a database whose clock is behind.
    ofDatabase.set(-10)
    // It is cut off while its guest runs; nothing has happened to the other host.
    hosts[to]!.link(false)
    await eventually(
      async () => hosts[to]!.isOn(),
      (on) => expect(on).toBe(false),
    )
    clocks[0]!.set(7)
    clocks[1]!.set(-7)
    await eventually(position, (seen) => expect(seen.sled?.id).toBe(hosts[from]!.sledId))
    await hasCounted()
    expect(domainsOn(hosts[from]!)).toHaveLength(1)

    const events = await storyOf(to)
    expect(events.map(({ kind }) => kind)).toEqual(FENCED_STORY)
    const times = events.map(({ time_recorded }) => time_recorded)
    expect(times).toEqual(times.toSorted())
    expect(await storyOf(from)).toEqual([])
    expect(hosts[from]!.isOn()).toBe(true)

    const [checked] = await counting.check()
    expect(checked!.faults).toEqual([])
    expect(checked!.records).toBeGreaterThan(checked!.boots)
  },
)
