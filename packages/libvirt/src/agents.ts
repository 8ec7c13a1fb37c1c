/**
 * The agents in guests, which freeze file systems for a snapshot. A guest decides how and when its
 * agent answers, so an agent has little time. Until it has thawed the file systems, as far as is
 * known, it is asked for nothing else.
 */
import { errorCodes, LibvirtError } from './native/errors.ts'
import type { Libvirt } from './native/libvirt.ts'
import type { MachineRow, Rows } from './rows.ts'
import { isAtRest } from './state.ts'
import { createKeyedQueue } from './keyed-queue.ts'

/** Before an agent is asked for a thaw again; the time doubles up to the last one. Milliseconds. */
const AGAIN_MS = { first: 1_000, last: 600_000 } as const

type Agent = Pick<Libvirt, 'freeze' | 'thaw'>

export interface Agents {
  /**
   * Does work while the file systems of a guest are frozen, if its agent freezes them.
   * @returns whether they were frozen
   */
  whileFrozen: (libvirt: Agent, id: string, work: () => Promise<void>) => Promise<boolean>
  /** Asks those agents again that have not thawed file systems, also for an earlier server. */
  retry: (libvirt: Agent, machines: readonly MachineRow[]) => void
  /** Waits until no agent is being asked. */
  settled: () => Promise<void>
}

const hasEnded = (error: LibvirtError): boolean =>
  error.code === errorCodes.noDomain || error.code === errorCodes.operationInvalid

/** @param seconds for each answer of an agent */
export function createAgents(rows: Pick<Rows, 'load' | 'change'>, seconds: number): Agents {
  const { serialize, isBusy, settled } = createKeyedQueue()
  /** When an agent is asked for a thaw again, by a monotonic clock. */
  const again = new Map<string, { at: number; wait: number }>()

  /** @returns whether the file systems are frozen; undefined if the agent was not asked */
  const freeze = async (libvirt: Agent, id: string): Promise<boolean | undefined> => {
    if ((await rows.load(id))?.thaw !== 0) return undefined
    // Known to the next server, if this one is killed meanwhile.
    await rows.change(id, () => ({ thaw: 1 }))
    try {
      return (await libvirt.freeze(id, seconds)) > 0
    } catch (error) {
      // It has not answered, or the guest has file systems that cannot be frozen.
      if (error instanceof LibvirtError) return false
      throw error
    }
  }
  const thawed = async (id: string): Promise<void> => {
    again.delete(id)
    await rows.change(id, ({ thaw }) => (thaw === 1 ? { thaw: 0 } : undefined))
  }
  const thaw = async (libvirt: Agent, id: string): Promise<void> => {
    try {
      await libvirt.thaw(id, seconds)
    } catch (error) {
      if (!(error instanceof LibvirtError)) throw error
      if (!hasEnded(error)) {
        const wait = Math.min(AGAIN_MS.last, (again.get(id)?.wait ?? AGAIN_MS.first / 2) * 2)
        again.set(id, { at: performance.now() + wait, wait })
        return
      }
    }
    await thawed(id)
  }
  /** A failure leaves the row as it is, for the next retry. */
  const later = (id: string, work: () => Promise<void>): void =>
    void serialize(id, work).catch(() => {})

  return {
    async whileFrozen(libvirt, id, work) {
      // After the thaw of an earlier snapshot.
      const frozen = await serialize(id, () => freeze(libvirt, id))
      try {
        await work()
      } finally {
        if (frozen !== undefined) later(id, () => thaw(libvirt, id))
      }
      return frozen === true
    },
    retry(libvirt, machines) {
      for (const row of machines) {
        const { id } = row
        if (row.thaw === 0 || isBusy(id)) continue
        const known = again.get(id)
        if (known && performance.now() < known.at) continue
        later(id, isAtRest(row) ? () => thawed(id) : () => thaw(libvirt, id))
      }
    },
    settled,
  }
}
