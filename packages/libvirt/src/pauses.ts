/**
 * Guests that QEMU has paused because their disks cannot be written or read. One that waits for room
 * continues by itself; any other failure of a disk is for the operator.
 */
import type { PauseReason } from '@steading/api/rules'
import type { DomainStatus, Libvirt } from './native/libvirt.ts'
import type { MachineRow } from './rows.ts'

/**
 * A guest that was continued, and soon waits again, is left alone for this long: the room may have a
 * limit that the free bytes of the file system do not show. Milliseconds.
 */
const REST_MS = 30_000

export interface Pauses {
  /** Why a domain is paused; null unless it is. */
  reasonOf: (
    libvirt: Pick<Libvirt, 'lacksSpace'>,
    id: string,
    status: DomainStatus | undefined,
  ) => Promise<PauseReason | null>
  /** Continues a guest that waits for room, if there is some. */
  resume: (libvirt: Pick<Libvirt, 'resume'>, row: MachineRow) => Promise<void>
  /** Forgets a machine that is at rest. */
  forget: (id: string) => void
}

/**
 * @param roomFor bytes that can be written to the disks of a machine
 * @param marginBytes bytes that must be free there before a guest continues
 */
export function createPauses(
  roomFor: (row: MachineRow) => Promise<number>,
  marginBytes: number,
): Pauses {
  /** When a guest was continued last, by a monotonic clock. */
  const continued = new Map<string, number>()
  return {
    async reasonOf(libvirt, id, status) {
      if (!status?.diskError) return null
      return (await libvirt.lacksSpace(id)) ? 'no_space' : 'io_error'
    },
    async resume(libvirt, row) {
      const { id, pause } = row
      if (pause !== 'no_space') return
      const last = continued.get(id)
      if (last !== undefined && performance.now() < last + REST_MS) return
      if ((await roomFor(row)) <= marginBytes) return
      continued.set(id, performance.now())
      await libvirt.resume(id)
    },
    forget: (id) => void continued.delete(id),
  }
}
