/** Watches moves of machines while they last: how far they are, and whether they get on at all. */
import { setTimeout as wait } from 'node:timers/promises'
import type { MachineObservation } from '@steading/control-plane/ports'
import { LibvirtError } from '../native/errors.ts'
import type { Libvirt } from '../native/libvirt.ts'

/** Between two looks. Milliseconds. */
const LOOK_MS = 1_000
/** A move that has copied nothing for this long is stopped. Milliseconds. */
const STALLED_MS = 60_000

export type MoveProgress = NonNullable<MachineObservation['move']>

export interface MoveWatch {
  /**
   * Does the work that moves a domain, and watches it.
   * @param isCancelled asked in each look; such a move is stopped
   * @throws LibvirtError if it was stopped because it had copied nothing for long
   */
  during: (
    libvirt: Libvirt,
    id: string,
    isCancelled: () => Promise<boolean>,
    work: () => Promise<void>,
  ) => Promise<void>
  /** How far a machine is, if this server moves it. */
  progressOf: (id: string) => MoveProgress | undefined
}

export function createMoveWatch(): MoveWatch {
  const progress = new Map<string, MoveProgress>()

  return {
    async during(libvirt, id, isCancelled, work) {
      const over = new AbortController()
      const { signal } = over
      let stalled = false
      let copiedAt = performance.now()
      const look = async (): Promise<void> => {
        if (await isCancelled()) return libvirt.stopMove(id)
        const seen = await libvirt.moveProgress(id)
        if (seen && !signal.aborted) {
          const { processed, remaining } = progress.get(id) ?? {}
          // Empty pages are not sent, but count as done.
          const getsOn = seen.processed !== processed || seen.remaining !== remaining
          if (getsOn) copiedAt = performance.now()
          progress.set(id, seen)
        }
        if (performance.now() - copiedAt < STALLED_MS) return
        stalled = true
        await libvirt.stopMove(id)
      }
      const looks = async (): Promise<void> => {
        for (;;) {
          const isOver = await wait(LOOK_MS, false, { signal }).catch(() => true)
          if (isOver) return
          // The end of the move says what is wrong with its host.
          await look().catch(() => {})
        }
      }
      const looking = looks()
      try {
        await work()
      } catch (error) {
        if (!stalled) throw error
        throw new LibvirtError(`nothing was copied for ${STALLED_MS / 1_000} s`, 0)
      } finally {
        over.abort()
        progress.delete(id)
        await looking
      }
    },
    progressOf: (id) => progress.get(id),
  }
}
