/** A server whose hosts are in namespaces, with a disk that boots a small guest. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Wire } from '../../../packages/api/src/index.ts'
import { GiB } from '../../../packages/api/src/rules.ts'
import {
  type NamespaceHost,
  startHosts,
} from '../../../packages/libvirt/test/support/hosts-in-namespaces.ts'
import { signIn, startHost } from '../host.ts'

/**
 * The boot sector of the guest: it sends a byte to the first serial port, and halts the processor for
 * good, so that many guests cost no time.
 */
const BOOT_SECTOR = Buffer.alloc(512)
// mov dx, 0x3f8; mov al, '.'; out dx, al; cli; hlt; and a jump to the hlt.
BOOT_SECTOR.set([0xba, 0xf8, 0x03, 0xb0, 0x2e, 0xee, 0xfa, 0xf4, 0xeb, 0xfd])
BOOT_SECTOR.set([0x55, 0xaa], 510)

/** Between two looks at something that is awaited. Milliseconds. */
const LOOK_MS = 20

export interface BenchHost extends NamespaceHost {
  sledId: string
  /** Runs `virsh` for its libvirt, by its address. */
  virsh: (...args: string[]) => string
}

export interface HostsCloud {
  hosts: BenchHost[]
  /** The directory that all hosts see. */
  shared: string
  /** Calls the API; there is a project `work`. */
  call: <T>(method: string, path: string, body?: object) => Promise<T>
  /** Creates a stopped instance whose disk boots the guest. */
  create: (name: string) => Promise<void>
  /** Looks again and again until something is there. */
  awaited: <T>(look: () => Promise<T | undefined> | T | undefined) => Promise<T>
  close: () => Promise<void>
}

export async function awaited<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await pause(LOOK_MS)
  }
}

/** Milliseconds that some work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/**
 * Each host says that it has room for fifty instances and more. Guests that halt touch some MiB of
 * their memory, and no time of a processor.
 */
const ROOM = { memory: 64 * 1024, cpuOvercommit: 64 }

/** @param count number of hosts */
export async function openHostsCloud(count: number): Promise<HostsCloud> {
  const { hosts, shared, path, end } = await startHosts(count, { memory: ROOM.memory })
  const data = mkdtempSync(join(tmpdir(), 'steading-bench-'))
  const env = { PATH: `${path}:${process.env.PATH}` }
  const server = await startHost(data, {
    env: {
      ...env,
      STEADING_ENGINE: 'libvirt',
      STEADING_SHARED_DIRECTORY: shared,
      STEADING_NETWORKS: 'user',
      STEADING_COLLECTION: '0',
      STEADING_CPU_OVERCOMMIT: String(ROOM.cpuOvercommit),
    },
  })
  const cookie = await signIn(server.url)
  const call = async <T>(method: string, place: string, body?: object): Promise<T> => {
    const answer = await fetch(`${server.url}${place}`, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${place}: ${answer.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

  const addHost = async (host: NamespaceHost): Promise<BenchHost> => {
    const { id } = await call<Wire.Host>('POST', '/x/v1/system/hosts', { address: host.address })
    const { sled_id } = await awaited(async () => {
      const found = await call<Wire.Host>('GET', `/x/v1/system/hosts/${id}`)
      return found.state === 'in_service' ? found : undefined
    })
    return {
      ...host,
      sledId: sled_id!,
      virsh: (...args) =>
        execFileSync('virsh', ['-q', '-c', host.address, ...args], {
          encoding: 'utf8',
          env: { ...process.env, ...env },
        }),
    }
  }
  await call('POST', '/v1/projects', { name: 'work', description: '' })
  const added: BenchHost[] = []
  for (const host of hosts) added.push(await addHost(host))
  const snapshotId = await makeSnapshot(call)

  return {
    hosts: added,
    shared,
    call,
    awaited,
    async create(name) {
      const disk_source = { type: 'snapshot', snapshot_id: snapshotId }
      await call('POST', '/v1/instances?project=work', {
        name,
        description: '',
        hostname: name,
        ncpus: 1,
        memory: GiB,
        start: false,
        boot_disk: {
          type: 'create',
          name: `disk-of-${name}`,
          description: '',
          size: GiB,
          disk_backend: { type: 'distributed', disk_source },
        },
      })
    },
    async close() {
      await server.stop()
      await end()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** Imports the disk of the guest. */
async function makeSnapshot(call: HostsCloud['call']): Promise<string> {
  const { id } = await call<Wire.Disk>('POST', '/v1/disks?project=work', {
    name: 'guest',
    description: '',
    size: GiB,
    disk_backend: {
      type: 'distributed',
      disk_source: { type: 'importing_blocks', block_size: 512 },
    },
  })
  await awaited(async () => {
    const { state } = await call<Wire.Disk>('GET', `/v1/disks/${id}`)
    return state.state === 'import_ready' || undefined
  })
  await call('POST', `/v1/disks/${id}/bulk-write-start`)
  await call('POST', `/v1/disks/${id}/bulk-write`, {
    offset: 0,
    base64_encoded_data: BOOT_SECTOR.toString('base64'),
  })
  await call('POST', `/v1/disks/${id}/bulk-write-stop`)
  await call('POST', `/v1/disks/${id}/finalize`, { snapshot_name: 'guest' })
  const ready = await awaited(async () => {
    const found = await call<Wire.Snapshot>('GET', '/v1/snapshots/guest?project=work').catch(
      () => undefined,
    )
    return found?.state === 'ready' ? found : undefined
  })
  return ready.id
}
