/** Disks that move to another storage pool while their instance runs, on hosts that are killed. */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import type { Wire } from '@steading/api'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { postgresMissing } from '../../../control-plane/test/support/postgres.ts'
import { random } from '../../../control-plane/test/support/random.ts'
import { until } from '../../../control-plane/test/support/things.ts'
import {
  hostsMissing,
  type NamespaceHost,
} from '../../../libvirt/test/support/hosts-in-namespaces.ts'
import { sharedCloud } from '../kill/cloud.ts'
import { domainsOn, openCloud } from '../support/cloud-of-hosts.ts'

const missing = hostsMissing()
if (missing !== undefined) console.warn(`Moves of disks on several hosts are left out: ${missing}.`)

/** The files of disks in a directory. */
const layersIn = (directory: string): string[] =>
  readdirSync(directory).filter((name) => name.endsWith('.qcow2'))

const virsh = ({ socketUri }: NamespaceHost, ...args: string[]): string =>
  execFileSync('virsh', ['-q', '-c', socketUri, ...args], { encoding: 'utf8' })

/** Kills at a moment that nobody chooses. */
const killSoon = (kill: () => Promise<unknown>): Promise<unknown> =>
  new Promise((resolve, reject) => {
    setTimeout(() => void kill().then(resolve, reject), random() * 600)
  })

/**
 * A cloud with a storage pool besides the first one, and an instance that runs.
 * @param options further ones of the cloud
 */
async function withPool(options: Parameters<typeof openCloud>[1] = {}) {
  const cloud = await openCloud(2, { pools: 1, ...options })
  const { call, pools, start, runs } = cloud
  const [path] = pools
  await call('POST', '/x/v1/system/storage-pools', {
    name: 'fast',
    description: '',
    type: 'directory',
    path,
  })
  const name = 'mill'
  await start(name, { auto_restart_policy: 'best_effort' })
  await runs(name)
  const disk = `disk-of-${name}`
  const seen = () => call<Wire.DiskStorage>('GET', `/x/v1/disks/${disk}/storage?project=work`)
  return {
    ...cloud,
    path: path!,
    name,
    seen,
    move: (pool: string) =>
      call<Wire.DiskStorage>('POST', `/x/v1/disks/${disk}/move?project=work`, { pool }),
    /** Waits until it moves no more, and has its instance again. */
    atRest: async () => {
      await until(
        () => call<Wire.Disk>('GET', `/v1/disks/${disk}?project=work`),
        ({ state }) => expect(state.state).toBe('attached'),
      )
      return seen()
    },
  }
}

test.skipIf(missing !== undefined)(
  'a disk moves under its instance, whenever the server is killed @long',
  async () => {
    const { hosts, servers, move, atRest, runs, name, path, sledOf, added } = await withPool()
    for (const pool of ['fast', 'default', 'fast']) {
      await move(pool)
      await killSoon(() => servers.kill(0))
      await servers.restart(0)
      const { pool: present, move: failed } = await atRest()
      expect({ pool: present.name, failed }).toEqual({ pool, failed: null })
      await runs(name)
      const sled = await sledOf(name)
      const host = hosts[added.findIndex(({ sled_id }) => sled_id === sled)]!
      const [domain] = domainsOn(host)
      expect(virsh(host, 'domstate', domain!).trim()).toBe('running')
      const xml = virsh(host, 'dumpxml', domain!)
      expect(xml).not.toContain('<mirror')
      // Its file is a link to that in the pool.
      expect(layersIn(path)).toHaveLength(pool === 'fast' ? 1 : 0)
      for (const layer of layersIn(path)) expect(xml).toContain(layer)
    }
  },
)

test.skipIf(missing !== undefined)(
  'an instance whose host dies while its disk moves runs elsewhere with that disk @long',
  async () => {
    const { hosts, call, added, move, atRest, runs, name, sledOf, path } = await withPool()
    const dead = await sledOf(name)
    const at = added.findIndex(({ sled_id }) => sled_id === dead)
    await move('fast')
    await hosts[at]!.kill()
    await call('POST', `/x/v1/system/hardware/sleds/${dead}/expunge`)
    await until(
      () => sledOf(name),
      (sled) => expect(sled).not.toBe(dead),
    )
    await runs(name)
    const { pool } = await atRest()
    const [domain] = domainsOn(hosts[1 - at]!)
    const xml = virsh(hosts[1 - at]!, 'dumpxml', domain!)
    expect(layersIn(path)).toHaveLength(pool.name === 'fast' ? 1 : 0)
    for (const layer of layersIn(path)) expect(xml).toContain(layer)
    // It moves again.
    const other = pool.name === 'fast' ? 'default' : 'fast'
    await move(other)
    expect((await atRest()).pool.name).toBe(other)
  },
)

/** The host and the domain of an instance, and its present state there. */
async function domainOf({ hosts, added, sledOf, name }: Awaited<ReturnType<typeof withPool>>) {
  const sled = await sledOf(name)
  const host = hosts[added.findIndex(({ sled_id }) => sled_id === sled)]!
  const [domain] = domainsOn(host)
  return { host, domain: domain!, state: async () => virsh(host, 'domstate', domain!).trim() }
}

/**
 * Holds the row of a volume, so that a server pauses the guest that goes on with a copy, and then
 * waits to write that it has.
 * @returns ends that
 */
async function holdVolume(databaseUrl: string, volumeId: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin')
  await client.query('select id from libvirt_volume where id = $1 for no key update', [volumeId])
  return async () => void (await client.query('rollback'))
}

test.skipIf(missing !== undefined || postgresMissing() !== undefined)(
  'a guest that is paused for its disk goes on at another server when its own is killed @long',
  async () => {
    const database = await sharedCloud('template1')
    const cloud = await withPool({ open: () => Promise.resolve(database), servers: 2 })
    const { servers, move, atRest, runs, name, call, path } = cloud
    const { host, domain, state } = await domainOf(cloud)
    const { id } = await call<Wire.Disk>('GET', `/v1/disks/disk-of-${name}?project=work`)
    const letGo = await holdVolume(database.databaseUrl, id)
    // The other server moves the disk.
    servers.hosts[0]!.signal('SIGSTOP')
    await move('fast')
    await until(state, (found) => expect(found).toBe('paused'))
    await servers.kill(1)
    const killed = performance.now()
    await letGo()
    servers.hosts[0]!.signal('SIGCONT')
    await until(state, (found) => expect(found).toBe('running'))
    console.info(`the guest goes on after ${((performance.now() - killed) / 1000).toFixed(1)} s`)

    await servers.restart(1)
    expect(await atRest()).toMatchObject({ pool: { name: 'fast' }, move: null })
    await runs(name)
    const xml = virsh(host, 'dumpxml', domain)
    expect(xml).not.toContain('<mirror')
    expect(layersIn(path)).toHaveLength(1)
    for (const layer of layersIn(path)) expect(xml).toContain(layer)
  },
)
