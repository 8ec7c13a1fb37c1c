/**
 * The agents in guests, which bring file systems to rest for a snapshot. A guest decides what its
 * agent answers, and when. So an agent has little time, and one that has not let its file systems go
 * on, as far as is known, is asked for nothing else: it is asked for that again and again.
 */
import { errorCodes, LibvirtError } from './native/errors.ts'
import type { Libvirt } from './native/libvirt.ts'
import type { MachineRow, Rows } from './rows.ts'
import { isAtRest } from './state.ts'

/** Before an agent is asked again; the time doubles up to the last one. Milliseconds. */
const AGAIN_MS = { first: 1_000, last: 600_000 } as const

type Agent = Pick<Libvirt, 'freeze' | 'thaw'>

export interface Agents {
  /** @returns whether the file systems of a guest are at rest */
  freeze: (libvirt: Agent, row: MachineRow) => Promise<boolean>
  /** Lets the file systems of a guest go on, now or later. */
  thaw: (libvirt: Agent, id: string) => Promise<void>
  /** Asks those agents again that have not let file systems go on. */
  retry: (libvirt: Agent, machines: readonly MachineRow[]) => void
  /** Waits until no agent is being asked. */
  settled: () => Promise<void>
}

const hasEnded = (error: LibvirtError): boolean =>
  error.code === errorCodes.noDomain || error.code === errorCodes.operationInvalid

/** @param seconds for each answer of an agent */
export function createAgents(rows: Pick<Rows, 'change'>, seconds: number): Agents {
  /** Machines whose agent is being asked. */
  const asked = new Map<string, Promise<void>>()
  /** When an agent is asked again, by a monotonic clock. */
  const again = new Map<string, { at: number; wait: number }>()

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
  const alone = (id: string, work: () => Promise<void>): Promise<void> => {
    const done = (asked.get(id) ?? Promise.resolve()).then(work)
    const settled = done
      .catch(() => {})
      .finally(() => {
        if (asked.get(id) === settled) asked.delete(id)
      })
    asked.set(id, settled)
    return done
  }

  return {
    async freeze(libvirt, { id, thaw: waits }) {
      if (waits === 1) return false
      // Known to the next server, if this one is killed meanwhile.
      await rows.change(id, () => ({ thaw: 1 }))
      try {
        return (await libvirt.freeze(id, seconds)) > 0
      } catch (error) {
        // It has not answered, or the guest has file systems that cannot be at rest.
        if (error instanceof LibvirtError) return false
        throw error
      }
    },
    thaw: (libvirt, id) => alone(id, () => thaw(libvirt, id)),
    retry(libvirt, machines) {
      for (const row of machines) {
        const { id } = row
        if (row.thaw === 0 || asked.has(id)) continue
        const known = again.get(id)
        if (known && performance.now() < known.at) continue
        const work = isAtRest(row) ? () => thawed(id) : () => thaw(libvirt, id)
        alone(id, work).catch(() => {})
      }
    },
    async settled() {
      await Promise.all(asked.values())
    },
  }
}
