/** Watches moves of machines while they last: how far they are, and whether they get on at all. */
import { setTimeout as wait } from 'node:timers/promises'
import type { MachineObservation } from '@steading/control-plane/ports'
import { AbandonedCall, LateCall, LibvirtError } from '../native/errors.ts'
import type { Libvirt } from '../native/libvirt.ts'

/** Between two looks. Milliseconds. */
const LOOK_MS = 1_000
/** Limits of moves. Milliseconds. */
const moveLimits = {
  /** A move that has copied nothing for this long is stopped. */
  stalled: 60_000,
  /**
   * A move that is to stop ends within this time. libvirt cannot stop it before it has reached the
   * other host, which may be cut off while SSH signs in there, nor once the guest has left.
   */
  stopping: 15_000,
}
type MoveLimits = Readonly<typeof moveLimits>

/** libvirt at the host that a domain leaves. */
type Origin = Pick<Libvirt, 'moveProgress' | 'stopMove' | 'isRunning' | 'expire'>

export type MoveProgress = NonNullable<MachineObservation['move']>

export interface MoveWatch {
  /**
   * Does the work that moves a domain, and watches it.
   * @param isCancelled asked in each look; such a move is stopped
   * @throws LibvirtError if it was stopped because it had copied nothing for long
   * @throws LateCall if it could not be stopped: where its guest is has to be looked at
   */
  during: (
    libvirt: Origin,
    id: string,
    isCancelled: () => Promise<boolean>,
    work: () => Promise<void>,
  ) => Promise<void>
  /** How far a machine is, if this server moves it. */
  progressOf: (id: string) => MoveProgress | undefined
}

export function createMoveWatch(limits: MoveLimits = moveLimits): MoveWatch {
  const progress = new Map<string, MoveProgress>()

  return {
    async during(libvirt, id, isCancelled, work) {
      const over = new AbortController()
      const { signal } = over
      let stalled = false
      let copiedAt = performance.now()
      let stoppedAt: number | undefined
      const stop = async (): Promise<void> => {
        stoppedAt ??= performance.now()
        const isLate = performance.now() - stoppedAt >= limits.stopping
        if (isLate || !libvirt.isRunning('move', id)) return libvirt.expire('move', id)
        await libvirt.stopMove(id)
      }
      const look = async (): Promise<void> => {
        if (stalled || (await isCancelled())) return stop()
        // It waits for the moves before it.
        if (!libvirt.isRunning('move', id)) {
          copiedAt = performance.now()
          return
        }
        // One that cannot be looked at copies nothing either.
        const seen = await libvirt.moveProgress(id).catch(() => undefined)
        if (seen && !signal.aborted) {
          const { processed, remaining } = progress.get(id) ?? {}
          // Empty pages are not sent, but count as done.
          const getsOn = seen.processed !== processed || seen.remaining !== remaining
          if (getsOn) copiedAt = performance.now()
          progress.set(id, seen)
        }
        if (performance.now() - copiedAt < limits.stalled) return
        stalled = true
        await stop()
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
        // Nobody would look after it any more, and it would keep its place among the calls.
        if (error instanceof AbandonedCall) libvirt.expire('move', id)
        if (!stalled || error instanceof LateCall) throw error
        throw new LibvirtError(`nothing was copied for ${limits.stalled / 1_000} s`, 0)
      } finally {
        over.abort()
        progress.delete(id)
        await looking
      }
    },
    progressOf: (id) => progress.get(id),
  }
}
