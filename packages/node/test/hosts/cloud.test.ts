/**
 * A cloud of several hosts, as an operator makes it: hosts are added by their addresses, instances
 * are spread over them, move while they run, and survive a server that is killed meanwhile.
 */
import { execFileSync } from 'node:child_process'
import type { Wire } from '@steading/api'
import { expect, onTestFinished, test } from 'vitest'
import {
  affinityBody,
  blankDisk,
  smallInstance,
  until,
} from '../../../control-plane/test/support/things.ts'
import {
  hostsMissing,
  type NamespaceHost,
  startHosts,
} from '../../../libvirt/test/support/hosts-in-namespaces.ts'
import { postgresMissing } from '../../../control-plane/test/support/postgres.ts'
import { embeddedCloud, sharedCloud, startServers } from '../kill/cloud.ts'
import { temporaryDirectory } from '../support/process.ts'

const missing = hostsMissing()
if (missing !== undefined) console.warn(`A cloud of several hosts is left out: ${missing}.`)

/**
 * The domains of a host, seen from outside.
 * @param which those that run, by default
 */
const domainsOn = ({ socketUri }: NamespaceHost, ...which: '--all'[]): string[] =>
  execFileSync('virsh', ['-q', '-c', socketUri, 'list', '--name', ...which], { encoding: 'utf8' })
    .split('\n')
    .filter((name) => name.startsWith('steading-'))

/** A cloud whose hosts have been added. */
async function openCloud(
  count: number,
  open = () => Promise.resolve(embeddedCloud(temporaryDirectory())),
  serverCount = 1,
) {
  const { hosts, shared, path, end } = await startHosts(count)
  onTestFinished(end)
  const servers = await startServers(await open(), serverCount, {
    STEADING_ENGINE: 'libvirt',
    STEADING_SHARED_DIRECTORY: shared,
    STEADING_NETWORKS: 'user',
    STEADING_COLLECTION: '0',
    PATH: `${path}:${process.env.PATH}`,
  })
  const call = async <T>(method: string, place: string, body?: object): Promise<T> => {
    const answer = await servers.api(serverCount - 1)(method, place, body)
    if (answer.status >= 300) throw new Error(`${place}: ${JSON.stringify(answer.body)}`)
    return answer.body as T
  }

  const added: Wire.Host[] = []
  for (const { address } of hosts) {
    const { id } = await call<Wire.Host>('POST', '/x/v1/system/hosts', { address })
    added.push(
      await until(
        () => call<Wire.Host>('GET', `/x/v1/system/hosts/${id}`),
        (host) =>
          expect({ state: host.state, findings: host.findings }).toMatchObject({
            state: 'in_service',
          }),
      ),
    )
  }

  const view = (name: string) => call<Wire.Instance>('GET', `/v1/instances/${name}?project=work`)
  const runs = (name: string) =>
    until(
      () => view(name),
      ({ run_state }) => expect(run_state).toBe('running'),
    )
  const sledOf = async (name: string): Promise<string> => {
    const { id } = await view(name)
    for (const { sled_id } of added) {
      const { items } = await call<Wire.SledInstanceResultsPage>(
        'GET',
        `/v1/system/hardware/sleds/${sled_id}/instances`,
      )
      if (items.some((one) => one.id === id)) return sled_id!
    }
    throw new Error(`${name} is on no sled`)
  }

  const start = (name: string, values: object = {}) =>
    call('POST', '/v1/instances?project=work', {
      ...smallInstance(name),
      disks: [{ type: 'create', ...blankDisk(`disk-of-${name}`) }],
      start: true,
      ...values,
    })
  return { hosts, servers, call, added, view, runs, sledOf, start }
}

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

test.skipIf(missing !== undefined || postgresMissing() !== undefined)(
  'another server drives the hosts when the one that did is killed @long',
  async () => {
    const { hosts, servers, call, view, runs, start } = await openCloud(
      1,
      () => sharedCloud('template1'),
      2,
    )
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
