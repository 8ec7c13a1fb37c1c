/**
 * Hosts whose guests run under leases of sanlock: the end of its leases proves that a host is dead.
 * No lock of a file reaches from host to host here, so the leases alone keep a guest from running
 * twice.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Wire } from '@steading/api'
import { hostProblems, instanceWaits, leaseFaults, leaseHoldMeanings } from '@steading/api/rules'
import { expect, onTestFinished, test, vi } from 'vitest'
import { until } from '../../../control-plane/test/support/things.ts'
import { leasesMissing } from '../../../libvirt/test/support/hosts-in-namespaces.ts'
import { createLeaseFiles } from '../../../libvirt/src/leases/lease-files.ts'
import { domainsOn, openCloud } from '../support/cloud-of-hosts.ts'

const missing = leasesMissing()
if (missing !== undefined) console.warn(`The leases of hosts are left out: ${missing}.`)

/**
 * A cloud whose hosts have the method `leases`, with an instance that starts again by itself and has
 * moved once.
 */
async function openLeased() {
  const cloud = await openCloud(2, { leases: true })
  const { hosts, call, added, view, runs, sledOf, start } = cloud
  // This machine has none, and sanlock says so.
  for (const { findings } of added) expect(findings).toContainEqual(hostProblems.no_watchdog({}))
  for (const { id } of added) {
    await call('PUT', `/x/v1/system/hosts/${id}/fencing`, { method: 'leases', automatic: true })
  }
  for (const { id } of added) {
    await until(
      () => call<Wire.HostFencing>('GET', `/x/v1/system/hosts/${id}/fencing`),
      ({ last_check }) => expect(last_check).toMatchObject({ power: null, problem: null }),
    )
  }
  await start('survivor', { auto_restart_policy: 'best_effort' })
  await runs('survivor')
  const from = await sledOf('survivor')
  const dead = added.find(({ sled_id }) => sled_id !== from)!.sled_id!
  const { id } = await view('survivor')
  await call('POST', `/x/v1/system/hardware/sleds/${from}/instances/${id}/move`, { sled_id: dead })
  await until(
    () => sledOf('survivor'),
    (sled) => expect(sled).toBe(dead),
  )
  await runs('survivor')
  const at = added.findIndex(({ sled_id }) => sled_id === dead)
  const place = `/x/v1/system/hosts/${added[at]!.id}`
  return {
    ...cloud,
    id,
    dead,
    host: hosts[at]!,
    other: hosts[1 - at]!,
    seen: async () => (await call<Wire.Host>('GET', place)).fencing,
    story: async () =>
      (await call<Wire.HostStory>('GET', `${place}/story`)).events.map(({ kind }) => kind),
    failure: () =>
      call<Wire.InstanceFailureView>('GET', '/x/v1/instances/survivor/failure?project=work'),
  }
}

/** Waits for what comes when leases have run out: sanlock alone takes more than a minute. */
const untilRunOut = <T>(ask: () => Promise<T>, check: (answer: T) => void): Promise<void> =>
  vi.waitFor(async () => check(await ask()), { timeout: 400_000, interval: 100 })

/** Seconds since a moment, for the report of a test. */
const since = (begun: number) => `${((performance.now() - begun) / 1000).toFixed(1)} s`

test.skipIf(missing !== undefined)(
  'disks get snapshots, grow and move while their guest runs under its lease @long',
  async () => {
    const { hosts, shared, pools, call, view, runs, start } = await openCloud(1, {
      leases: true,
      pools: 1,
    })
    await call('POST', '/x/v1/system/storage-pools', {
      name: 'fast',
      description: '',
      type: 'directory',
      path: pools[0],
    })
    await start('mill')
    await runs('mill')
    const { id } = await view('mill')
    const query = 'project=work'
    const disk = 'disk-of-mill'
    await call('POST', `/v1/snapshots?${query}`, { name: 'harvest', description: '', disk })
    await until(
      () => call<Wire.Snapshot>('GET', `/v1/snapshots/harvest?${query}`),
      ({ state }) => expect(state).toBe('ready'),
    )
    const { size } = await call<Wire.Disk>('GET', `/v1/disks/${disk}?${query}`)
    await call('POST', `/x/v1/disks/${disk}/grow?${query}`, { size: 2 * size })
    await until(
      () => call<Wire.Disk>('GET', `/v1/disks/${disk}?${query}`),
      (grown) => expect(grown).toMatchObject({ size: 2 * size, state: { state: 'attached' } }),
    )
    await call('POST', `/x/v1/disks/${disk}/move?${query}`, { pool: 'fast' })
    await until(
      () => call<Wire.DiskStorage>('GET', `/x/v1/disks/${disk}/storage?${query}`),
      (storage) => expect(storage).toMatchObject({ pool: { name: 'fast' }, move: null }),
    )
    await runs('mill')
    expect(domainsOn(hosts[0]!)).toHaveLength(1)
    // It still has its lease.
    const leases = createLeaseFiles(shared, () => {})
    expect((await leases.read(id)).timestamp).toBeGreaterThan(0)
  },
)

test.skipIf(missing !== undefined)(
  'an instance of a host that is only cut off does not start elsewhere until the host is dead @long',
  async () => {
    const cloud = await openLeased()
    const { id, shared, call, host, other, dead, seen, story, failure, view, runs, sledOf } = cloud
    host.link(false)
    await until(seen, (fencing) =>
      expect(fencing).toMatchObject({
        state: 'fencing',
        lease_hold: 'renewed',
        reason: leaseHoldMeanings.renewed,
      }),
    )
    expect((await failure()).host_story?.waiting).toBe(instanceWaits.leases)
    const { items } = await call<Wire.Issues>('GET', '/x/v1/issues')
    expect(items.map(({ kind }) => kind)).toContain('host_fencing_failed')
    expect(domainsOn(host)).toHaveLength(1)
    expect(domainsOn(other)).toEqual([])

    const begun = performance.now()
    await host.kill()
    await until(seen, ({ lease_hold }) => expect(lease_hold).toBe('running_out'))
    expect(domainsOn(other)).toEqual([])
    await untilRunOut(seen, ({ state }) => expect(state).toBe('fenced'))
    console.info(`proven dead after ${since(begun)}`)
    await until(
      () => sledOf('survivor'),
      (sled) => expect(sled).not.toBe(dead),
    )
    await runs('survivor')
    console.info(`the instance answers again after ${since(begun)}`)
    expect(domainsOn(other)).toHaveLength(1)
    expect(await story()).toEqual([
      'silent',
      'lease_waiting',
      'lease_held',
      'lease_waiting',
      'lease_ended',
      'instance_lost',
      'instance_restarted',
      'instance_running',
    ])

    host.link(true)
    await host.boot()
    await until(seen, ({ state }) => expect(state).toBe('idle'))
    expect(domainsOn(host, '--all')).toEqual([])
    expect(domainsOn(other)).toHaveLength(1)

    // Its lease ends with it.
    const leases = () => readdirSync(join(shared, 'leases')).filter((name) => name === id)
    expect(leases()).toHaveLength(1)
    await call('POST', '/v1/instances/survivor/stop?project=work')
    await until(
      () => view('survivor'),
      ({ run_state }) => expect(run_state).toBe('stopped'),
    )
    await call('DELETE', '/v1/instances/survivor?project=work')
    await until(
      async () => leases(),
      (found) => expect(found).toEqual([]),
    )
  },
)

test.skipIf(missing !== undefined)(
  'a host without network and storage ends its guest by the lease, and is cleaned up when it is back @long',
  async () => {
    const { host, other, dead, seen, story, runs, sledOf } = await openLeased()
    const begun = performance.now()
    host.link(false)
    host.hang(true)
    await until(
      async () => domainsOn(host),
      (found) => expect(found).toEqual([]),
    )
    console.info(`its guest was ended after ${since(begun)}`)
    expect(domainsOn(other)).toEqual([])
    await untilRunOut(seen, ({ state }) => expect(state).toBe('fenced'))
    await until(
      () => sledOf('survivor'),
      (sled) => expect(sled).not.toBe(dead),
    )
    await runs('survivor')
    console.info(`the instance answers again after ${since(begun)}`)
    expect(await seen()).toMatchObject({ state: 'fenced' })

    host.hang(false)
    await host.join()
    host.link(true)
    await until(seen, ({ state }) => expect(state).toBe('idle'))
    expect(await story()).toContain('back')
    expect(domainsOn(host, '--all')).toEqual([])
    expect(domainsOn(other)).toHaveLength(1)
    await runs('survivor')
  },
)

/** A move of the instance, with libvirt of both hosts. */
function withMove(cloud: Awaited<ReturnType<typeof openLeased>>) {
  const { id, dead, host, other, call, added } = cloud
  const [domain] = domainsOn(host)
  const target = added.find(({ sled_id }) => sled_id !== dead)!.sled_id!
  return {
    domain: domain!,
    target,
    /** MiB a second: at one, the move lasts. */
    limit: (speed: number) =>
      execFileSync('virsh', ['-c', host.socketUri, 'migrate-setspeed', domain!, `${speed}`]),
    begin: () =>
      call('POST', `/x/v1/system/hardware/sleds/${dead}/instances/${id}/move`, {
        sled_id: target,
      }),
    position: () => call<Wire.InstanceSledView>('GET', `/x/v1/instances/${id}/sled`),
    /** Waits until its guest goes on at the other host. */
    async resumed() {
      const events = spawn('virsh', [
        '-c',
        other.socketUri,
        'event',
        '--event',
        'lifecycle',
        '--loop',
      ])
      onTestFinished(() => void events.kill())
      await once(events, 'spawn')
      for await (const line of createInterface(events.stdout)) {
        if (line.includes(domain!) && line.includes('Resumed')) return
      }
    },
  }
}

test.skipIf(missing !== undefined).each(['alone', 'with the server'])(
  'a host that dies %s while its guest moves is proven dead @long',
  async (how) => {
    const cloud = await openLeased()
    const { host, other, servers, seen, story, runs } = cloud
    const { target, limit, begin, position } = withMove(cloud)
    limit(1)
    await begin()
    await until(position, ({ move }) => expect(move?.progress).not.toBeNull())
    if (how === 'with the server') await servers.kill(0)
    await host.kill()
    if (how === 'with the server') await servers.restart(0)
    await untilRunOut(seen, ({ state }) => expect(state).toBe('fenced'))
    await until(position, ({ sled }) => expect(sled?.id).toBe(target))
    await runs('survivor')
    expect(domainsOn(other)).toHaveLength(1)
    expect(await story()).toContain('instance_lost')
  },
)

test.skipIf(missing !== undefined)(
  'a guest that arrives while its server and its old host die runs on @long',
  async () => {
    const cloud = await openLeased()
    const { host, other, servers, seen, story, runs } = cloud
    const { domain, target, limit, begin, position, resumed } = withMove(cloud)
    limit(1)
    await begin()
    await until(position, ({ move }) => expect(move?.progress).not.toBeNull())
    // It does not see how the move ends.
    servers.hosts[0]!.signal('SIGSTOP')
    const there = resumed()
    limit(1000)
    await there
    await servers.kill(0)
    await host.kill()
    const idOf = () => execFileSync('virsh', ['-q', '-c', other.socketUri, 'domid', domain])
    const before = String(idOf())
    await servers.restart(0)
    await until(position, ({ sled, move }) => {
      expect(sled?.id).toBe(target)
      expect(move?.state).toBe('moved')
    })
    await untilRunOut(seen, ({ state }) => expect(state).toBe('fenced'))
    await runs('survivor')
    expect(String(idOf())).toBe(before)
    expect(await story()).not.toContain('instance_lost')
  },
)

test.skipIf(missing !== undefined)(
  'a host that ignores leases fails its check, and they prove nothing about its guests @long',
  async () => {
    const { hosts, call, added, runs, sledOf, start } = await openCloud(2, { leases: true })
    const paths = added.map(({ id }) => `/x/v1/system/hosts/${id}`)
    const checked = async (at: number, problem: string | null) => {
      await call('PUT', `${paths[at]}/fencing`, { method: 'leases', automatic: true })
      await until(
        () => call<Wire.HostFencing>('GET', `${paths[at]}/fencing`),
        ({ last_check }) => expect(last_check).toMatchObject({ problem }),
      )
    }
    await hosts[0]!.ignoreLeases()
    await checked(0, leaseFaults.notEnforced.reason)
    await checked(1, leaseFaults.noWitness.reason)
    const policy = (state: Wire.SledProvisionPolicy) =>
      call('PUT', `/v1/system/hardware/sleds/${added[1]!.sled_id}/provision-policy`, { state })
    await policy('non_provisionable')
    await start('unleased', { auto_restart_policy: 'best_effort' })
    await runs('unleased')
    expect(await sledOf('unleased')).toBe(added[0]!.sled_id)
    await policy('provisionable')

    hosts[0]!.link(false)
    await until(
      async () => (await call<Wire.Host>('GET', paths[0]!)).fencing,
      (fencing) => expect(fencing).toMatchObject({ state: 'fencing', lease_hold: 'unleased' }),
    )
    expect(domainsOn(hosts[1]!)).toEqual([])
  },
)
