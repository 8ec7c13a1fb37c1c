/** Storage pools that hosts mount by their libvirt. */
import { storagePoolProblems } from '@steading/api/rules'
import type { MachineSpec } from '@steading/control-plane/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../../control-plane/test/support/things.ts'
import { openLibvirt } from '../../src/native/libvirt.ts'
import { type AddedHosts, openAddedHosts } from '../support/added-hosts.ts'
import { openTestHost } from '../support/engine.ts'
import { startFiler } from '../support/filer.ts'
import { guestDisk } from '../support/guest.ts'
import { hostsMissing } from '../support/hosts-in-namespaces.ts'
import { smallSpec } from '../support/open-engines.ts'

const missing = hostsMissing()
if (missing !== undefined) console.warn(`Pools that hosts mount are left out: ${missing}.`)

describe.skipIf(missing !== undefined)('storage pools that hosts mount', () => {
  let filer: ReturnType<typeof startFiler>
  let all: AddedHosts
  let sleds: MachineSpec['sled'][]
  const place = (name: string) => ({
    id: crypto.randomUUID(),
    path: filer.placeFor(name),
    mount: { type: 'nfs' as const, source: `filer:/${name}` },
  })
  type Place = ReturnType<typeof place>
  const examine = (pool: Place) => all.engines.storagePools.examine(pool)
  const reached = () => sleds.map(({ serial }) => ({ serial }))
  /** The source that each host has mounted in the directory of a pool. */
  const mountsOf = ({ path }: Place) => all.hosts.map((host) => host.mounted().get(path))
  const pool = () => fast!
  let fast: Place | undefined

  beforeAll(async () => {
    filer = startFiler()
    // Before the hosts, whose mounts are their own.
    for (const name of ['fast', 'late']) filer.add(name)
    all = await openAddedHosts(2, {}, { mount: filer.mount })
    sleds = []
    for (const host of all.hosts) sleds.push((await all.add(host)).sled!)
    fast = place('fast')
  })
  afterAll(async () => {
    await all?.end()
    filer?.end()
  })

  test('are mounted on all hosts, and on a server by its operator', async () => {
    const { path, mount } = pool()
    expect(await examine(pool())).toEqual({
      problem: storagePoolProblems.serverNotMounted(mount.source, path),
      hosts: [],
    })
    expect(mountsOf(pool())).toEqual([mount.source, mount.source])
    filer.mountHere('fast', path)
    expect(await examine(pool())).toMatchObject({ size: 64 * 1024 * 1024, hosts: [] })
    await all.engines.storagePools.add(pool())
    const { problem, hosts } = await examine(pool())
    expect({ problem, hosts }).toEqual({
      problem: undefined,
      hosts: expect.arrayContaining(reached()),
    })
    expect(hosts).toHaveLength(2)
  })

  test('have the disks of machines', async () => {
    const { volumes, machines } = all.engines
    const [id, machine, disk] = [crypto.randomUUID(), crypto.randomUUID(), guestDisk()]
    await volumes.create(id, { size: disk.length, blockSize: 512, pool: pool().id })
    await volumes.write(id, 0, disk)
    const source = await volumes.attach(id, machine, 1)
    const boot = { id, name: 'boot', size: disk.length, slot: 0, boot: true, readOnly: false }
    await machines.run(machine, { ...smallSpec([{ ...boot, source }]), sled: sleds[0]! }, 1)
    await all.phaseOf(machine, 'running')
    // A pool in use stays where it is, whoever asks.
    const libvirt = await openLibvirt(all.hosts[0]!.socketUri)
    await expect(libvirt.unmountPool(pool().id)).rejects.toThrow(/busy/)
    await libvirt.close()
    await machines.destroy(machine, 1)
    await volumes.detach(id, machine, 1)
    await volumes.delete(id)
  })

  test('are mounted again by a host that starts', async () => {
    const [host] = all.hosts
    await host!.kill()
    await host!.boot()
    await until(
      () => examine(pool()),
      ({ hosts }) => expect(hosts).toEqual(expect.arrayContaining(reached())),
    )
    expect(mountsOf(pool())).toEqual([pool().mount.source, pool().mount.source])
  })

  test('say why a host cannot mount them', async () => {
    const gone = place('gone')
    const { hosts } = await examine(gone)
    expect(hosts.map(({ problem }) => problem)).toEqual(
      sleds.map(() =>
        storagePoolProblems.cannotMount(
          'filer:/gone',
          'mounting filer:/gone failed, reason given by server: No such file or directory',
        ),
      ),
    )
    await all.engines.storagePools.remove(gone)
  })

  test('are mounted by the host of a server, without hosts that are added', async () => {
    const host = await openTestHost({ uri: all.hosts[1]!.socketUri })
    const server = await host.start()
    const { storagePools } = server.engines
    const [late, gone] = [place('late'), place('gone')]
    // The test is in no namespace of the host.
    expect((await storagePools.examine(late)).problem).toBe(
      storagePoolProblems.serverNotMounted('filer:/late', late.path),
    )
    expect(mountsOf(late)).toEqual([undefined, 'filer:/late'])
    expect((await storagePools.examine(gone)).problem).toMatch(
      storagePoolProblems.cannotMount('filer:/gone', 'mounting filer:/gone failed'),
    )
    // A pool that is mounted needs no libvirt.
    filer.mountHere('late', late.path)
    await storagePools.add(late)
    all.hosts[1]!.signal('libvirtd', 'SIGKILL')
    expect((await storagePools.examine(late)).problem).toBeUndefined()
    await all.hosts[1]!.restart('libvirtd')
    for (const pool of [late, gone]) await storagePools.remove(pool)
    expect(mountsOf(late)).toEqual([undefined, undefined])
    await server.close()
    await host.remove()
  })

  test('hold up no other one while their server is silent @long', async () => {
    filer.silence(true)
    const late = place('late')
    const looking = examine(late)
    const { problem, hosts } = await examine(pool())
    expect({ problem, count: hosts.length }).toEqual({ problem: undefined, count: 2 })
    expect(hosts.every((host) => host.problem === undefined)).toBe(true)
    expect((await looking).hosts.map((host) => host.problem)).toEqual(
      sleds.map(() => storagePoolProblems.cannotMount('filer:/late', 'its server does not answer')),
    )
    filer.silence(false)
    await until(
      () => examine(late),
      ({ hosts: found }) => expect(found).toEqual([]),
    )
    expect(mountsOf(late)).toEqual(['filer:/late', 'filer:/late'])
    await all.engines.storagePools.remove(late)
    expect(mountsOf(late)).toEqual([undefined, undefined])
  })

  test('are unmounted once they are removed', async () => {
    await all.engines.storagePools.remove(pool())
    expect(mountsOf(pool())).toEqual([undefined, undefined])
    await all.engines.storagePools.remove(pool())
    const logged = all.log.mock.calls.map(([message]) => message)
    expect(logged.filter((message) => message.includes('stays mounted'))).toEqual([])
  })
})
