/**
 * A cloud of several hosts, as an operator makes it: hosts are added by their addresses, instances
 * are spread over them, move while they run, and survive a server that is killed meanwhile.
 */
import type { Wire } from '@steading/api'
import { expect, test } from 'vitest'
import { FENCED_STORY } from '../../../control-plane/test/support/hosts.ts'
import { affinityBody, until } from '../../../control-plane/test/support/things.ts'
import { postgresMissing } from '../../../control-plane/test/support/postgres.ts'
import { hostsMissing } from '../../../libvirt/test/support/hosts-in-namespaces.ts'
import { sharedCloud } from '../kill/cloud.ts'
import { domainsOn, openCloud } from '../support/cloud-of-hosts.ts'
import { addController, powerSwitchesMissing } from '../support/powered-hosts.ts'

const missing = hostsMissing()
if (missing !== undefined) console.warn(`A cloud of several hosts is left out: ${missing}.`)

test.skipIf(missing !== undefined)(
  'instances are spread over hosts that were added, and move between them @long',
  async () => {
    const { hosts, servers, call, added, view, runs, sledOf, start } = await openCloud(2)
    await call('POST', '/v1/anti-affinity-groups?project=work', {
      ...affinityBody('apart'),
      policy: 'fail',
    })
    for (const name of ['one', 'two']) await start(name, { anti_affinity_groups: ['apart'] })
    for (const name of ['one', 'two']) await runs(name)
    expect(hosts.map((host) => domainsOn(host).length)).toEqual([1, 1])

    // The server is killed while an instance moves. The guest runs once, wherever the move has ended.
    await call('DELETE', '/v1/anti-affinity-groups/apart?project=work')
    const from = await sledOf('one')
    const to = added.find(({ sled_id }) => sled_id !== from)!.sled_id!
    const { id } = await view('one')
    await call('POST', `/x/v1/system/hardware/sleds/${from}/instances/${id}/move`, { sled_id: to })
    await servers.kill(0)
    await servers.restart(0)
    await until(
      () => sledOf('one'),
      (sled) => expect(sled).toBe(to),
    )
    await runs('one')
    expect(hosts.map((host) => domainsOn(host).length).toSorted()).toEqual([0, 2])
  },
)

test.skipIf(missing !== undefined)(
  'the instances of a host that died start elsewhere once it is expunged, and end there when it is back @long',
  async () => {
    const { hosts, call, added, view, runs, sledOf, start } = await openCloud(2)
    await start('survivor', { auto_restart_policy: 'best_effort' })
    await runs('survivor')
    const dead = await sledOf('survivor')
    const at = added.findIndex(({ sled_id }) => sled_id === dead)
    const other = hosts[1 - at]!
    // Its guest runs on, and nobody can tell.
    hosts[at]!.link(false)
    await until(
      () => call<Wire.Host>('GET', `/x/v1/system/hosts/${added[at]!.id}`),
      ({ connection }) => expect(connection?.connected).toBe(false),
    )
    await until(
      () => call<Wire.SledDetails>('GET', `/x/v1/system/hardware/sleds/${dead}`),
      ({ responding }) => expect(responding).toBe(false),
    )
    expect((await view('survivor')).run_state).toBe('running')
    expect(domainsOn(other)).toEqual([])

    await call('POST', `/x/v1/system/hardware/sleds/${dead}/expunge`)
    // The guest that was cut off has the lock of the disk, so a second one cannot open it.
    await hosts[at]!.kill()
    await until(
      () => sledOf('survivor'),
      (sled) => expect(sled).not.toBe(dead),
    )
    await runs('survivor')
    expect(domainsOn(other)).toHaveLength(1)

    // The host is back; what it may have run for us ends.
    hosts[at]!.link(true)
    await hosts[at]!.boot()
    await until(
      async () => domainsOn(hosts[at]!, '--all'),
      (found) => expect(found).toEqual([]),
    )
    await runs('survivor')
  },
)

/** Seconds since a moment, for the report of a test. */
const since = (begun: number) => `${((performance.now() - begun) / 1000).toFixed(1)} s`

test.skipIf(powerSwitchesMissing() !== undefined)(
  'a host that was cut off is switched off, and then its instance answers again elsewhere @long',
  async () => {
    const { hosts, call, added, view, runs, sledOf, start } = await openCloud(2)
    await start('survivor', { auto_restart_policy: 'best_effort' })
    await runs('survivor')
    const dead = await sledOf('survivor')
    const at = added.findIndex(({ sled_id }) => sled_id === dead)
    const [host, other] = [hosts[at]!, hosts[1 - at]!]
    const place = `/x/v1/system/hosts/${added[at]!.id}`

    // Its management controller is in another network, which is not cut. A guest that ran elsewhere
    // before the power was off would write to the disk twice.
    let isOn = true
    const power = {
      isOn: () => isOn,
      async off() {
        expect(domainsOn(host)).toHaveLength(1)
        expect(domainsOn(other)).toEqual([])
        await host.kill()
        isOn = false
      },
    }
    await addController(call, added[at]!.id, power)

    const begun = performance.now()
    host.link(false)
    const seen = async () => (await call<Wire.Host>('GET', place)).fencing.state
    for (const state of ['suspect', 'fencing', 'fenced']) {
      await until(seen, (found) => expect([state, 'fenced']).toContain(found))
      console.info(`${state} after ${since(begun)}`)
    }
    await until(
      () => sledOf('survivor'),
      (sled) => expect(sled).not.toBe(dead),
    )
    await runs('survivor')
    console.info(`the instance answers again after ${since(begun)}`)
    expect(domainsOn(other)).toHaveLength(1)
    const story = await call<Wire.HostStory>('GET', `${place}/story`)
    expect(story.events.map(({ kind }) => kind)).toEqual(FENCED_STORY)

    // Its operator switches it on again. Its former machines are removed there first.
    host.link(true)
    isOn = true
    await host.boot()
    const booted = performance.now()
    await until(seen, (found) => expect(found).toBe('idle'))
    console.info(`no longer fenced ${since(booted)} after its start`)
    expect(domainsOn(host)).toEqual([])
    await until(
      () => call<Wire.SledDetails>('GET', `/x/v1/system/hardware/sleds/${dead}`),
      ({ responding }) => expect(responding).toBe(true),
    )
    console.info(`in service ${since(booted)} after its start`)
    expect((await view('survivor')).run_state).toBe('running')
  },
)

test.skipIf(missing !== undefined || postgresMissing() !== undefined)(
  'another server drives the hosts when the one that did is killed @long',
  async () => {
    const { hosts, servers, call, view, runs, start } = await openCloud(1, {
      open: () => sharedCloud('template1'),
      servers: 2,
    })
    await start('lasting')
    await runs('lasting')
    // Whichever of the two drove the host, the other one goes on.
    await servers.kill(0)
    await call('POST', '/v1/instances/lasting/stop?project=work')
    await until(
      () => view('lasting'),
      ({ run_state }) => expect(run_state).toBe('stopped'),
    )
    await call('POST', '/v1/instances/lasting/start?project=work')
    await runs('lasting')
    expect(domainsOn(hosts[0]!)).toHaveLength(1)
  },
)

test.skipIf(missing !== undefined || postgresMissing() !== undefined)(
  'a server that hung does not repeat what it knew of hosts that another one asks now @long',
  async () => {
    const { hosts, servers, added } = await openCloud(1, {
      open: () => sharedCloud('template1'),
      servers: 2,
    })
    const connectionAt = async (server: number) => {
      const { body } = await servers.api(server)('GET', `/x/v1/system/hosts/${added[0]!.id}`)
      return (body as Wire.Host).connection?.connected
    }
    const isSaid = (server: number, connected: boolean) =>
      until(
        () => connectionAt(server),
        (said) => expect(said).toBe(connected),
      )
    hosts[0]!.link(false)
    const [first, second] = await until(
      () => Promise.all([connectionAt(0), connectionAt(1)]),
      (said) => expect(said).toContain(false),
    )
    const hung = first === false ? 0 : 1
    expect([first, second][1 - hung]).toBeUndefined()
    servers.hosts[hung]!.signal('SIGSTOP')
    hosts[0]!.link(true)
    await isSaid(1 - hung, true)
    servers.hosts[hung]!.signal('SIGCONT')
    expect(await connectionAt(hung)).not.toBe(false)
  },
)
