/**
 * The leases of guests in the directory that all hosts see. A guest has the lease of its instance for
 * as long as its QEMU runs; sanlock on its host takes the lease, renews it, and ends the guest when
 * that fails for too long.
 */
import { join } from 'node:path'
import { leaseSeconds } from '@steading/api/rules'
import type { EngineContext } from '@steading/control-plane/ports'
import { ifThere } from '@steading/files'
import type { Lease } from '../domain-xml.ts'
import { type FileCalls, fileCalls } from '../file-systems/file-calls.ts'
import { createKeyedQueue, type KeyedQueue } from '../keyed-queue.ts'
import { type Leader, LOCKSPACE, makeResource, readHost, readResource } from './sanlock.ts'

/**
 * - `free`: nobody has it
 * - `run_out`: its host has not renewed it for so long that it has ended its guests
 * - `running_out`: it is not renewed any more, or was not looked at for long enough to know
 * - `renewed`: its host is alive
 */
export type LeaseStanding = 'free' | 'run_out' | 'running_out' | 'renewed'

/** Whether nobody has a lease any more. */
export const isEnded = (standing: LeaseStanding): boolean =>
  standing === 'free' || standing === 'run_out'

/** Whether a lease was taken since it had a version, and somebody has it. */
export const isTaken = ({ version, timestamp }: Leader, since: number): boolean =>
  version > since && timestamp !== 0

/** A lease as it was looked at. */
export interface SeenLease {
  standing: LeaseStanding
  leader: Leader
}

export interface LeaseFiles {
  /** Does work about a lease after all that was asked for earlier. */
  serialize: KeyedQueue['serialize']
  /** Whether an operator has made the lockspace; without it, nothing has a lease. */
  areSetUp: () => Promise<boolean>
  /**
   * The lease of a name, made if it is missing; undefined without a lockspace.
   * @throws FencingFault
   */
  prepare: (name: string) => Promise<Lease | undefined>
  /** @throws FencingFault */
  read: (name: string) => Promise<Leader>
  /**
   * The version of a lease, if somebody has taken it since it had an earlier one; null if not, or if
   * the lease cannot be read.
   */
  taken: (name: string, since: number) => Promise<number | null>
  /**
   * How a lease stands. A guest that waits for one that is `running_out` keeps libvirt of its host
   * from answering, so none is started before. Time passes only between two questions.
   * @throws FencingFault
   */
  look: (name: string) => Promise<SeenLease>
  /** Removes the file of a lease, and what a killed server has left of it, unless somebody has it. */
  remove: (name: string) => Promise<void>
}

/** The last observation of a host in the lockspace; moments by a monotonic clock, in milliseconds. */
interface Seen {
  generation: number
  timestamp: number
  /** When it was first seen so. */
  since: number
  /** Whether it was seen otherwise before. */
  hasChanged: boolean
}

/**
 * @param directory that all hosts see
 * @param calls to its file system
 */
export function createLeaseFiles(
  directory: string,
  log: EngineContext['log'],
  calls: FileCalls = fileCalls,
): LeaseFiles {
  const folder = join(directory, 'leases')
  const lockspace = join(folder, 'lockspace')
  const pathOf = (name: string): string => join(folder, name)
  /** By the number of the host, of which a lockspace has at most 2,000. */
  const hosts = new Map<number, Seen>()

  const exists = async (path: string): Promise<boolean> => (await calls.find(path)) !== undefined

  const read = async (name: string): Promise<Leader> => {
    // A tool that waits for a dead file system cannot be ended, so none is started there.
    await calls.find(pathOf(name))
    return readResource(name, pathOf(name))
  }

  const note = (host: number, { generation, timestamp }: Leader): Seen => {
    const before = hosts.get(host)
    if (before?.generation === generation && before.timestamp === timestamp) return before
    const now = {
      generation,
      timestamp,
      since: performance.now(),
      hasChanged: before !== undefined,
    }
    hosts.set(host, now)
    return now
  }

  const standingOf = async ({ owner, generation, timestamp }: Leader): Promise<LeaseStanding> => {
    if (timestamp === 0) return 'free'
    const host = await readHost(owner, lockspace)
    // It has left, or has joined again since; its guests of before have ended.
    if (host.timestamp === 0 || host.generation > generation) return 'free'
    const { since, hasChanged } = note(owner, host)
    const seconds = (performance.now() - since) / 1000
    const interval = 2 * host.ioTimeout
    // Another host may have seen the last renewal one interval later.
    if (seconds >= leaseSeconds(host.ioTimeout) + interval) return 'run_out'
    return hasChanged && seconds < 2 * interval ? 'renewed' : 'running_out'
  }
  const { serialize } = createKeyedQueue()

  return {
    serialize,
    areSetUp: () => exists(lockspace),
    read,
    async prepare(name) {
      if (!(await exists(lockspace))) return undefined
      const path = pathOf(name)
      if (!(await exists(path))) {
        // Complete before it gets its name, and never written anew: somebody may have it.
        const made = `${path}.${crypto.randomUUID()}`
        try {
          await calls.create(made)
          await makeResource(name, made)
          // The sanlock of each host runs as a user of its own. Others cannot list the folder.
          await calls.setMode(made, 0o666)
          await calls.link(made, path).catch(ifThere(undefined))
        } finally {
          await calls.remove(made)
        }
      }
      return { lockspace: LOCKSPACE, key: name, path }
    },
    async taken(name, since) {
      try {
        const leader = await read(name)
        return isTaken(leader, since) ? leader.version : null
      } catch (error) {
        log(`reading the lease ${name} failed`, error)
        return null
      }
    },
    async look(name) {
      const leader = await read(name)
      return { leader, standing: await standingOf(leader) }
    },
    async remove(name) {
      const path = pathOf(name)
      if (!(await exists(path))) return
      if ((await read(name)).timestamp !== 0) return
      const files = await calls.names(folder)
      for (const file of files.filter((found) => found === name || found.startsWith(`${name}.`))) {
        await calls.remove(join(folder, file))
      }
    },
  }
}
