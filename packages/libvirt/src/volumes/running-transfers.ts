/**
 * Volumes that are copied to another storage pool while a guest uses them. QEMU copies them, so the
 * copy goes on without a server, and each call looks how far it is, whoever began it.
 *
 * The guest is paused while it goes on with the copy, until the row of the volume says so: whatever
 * is killed in between, what the row names has everything that the guest has written.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { diskInUse, diskMoveMessages } from '@steading/api/rules'
import { fail, type OpenDatabase, type Tx } from '@steading/control-plane/engine'
import { DiskCopyError, NoSpaceError, type PoolMove } from '@steading/control-plane/ports'
import { copyFailure } from '../failure.ts'
import { AbandonedCall, LateCall } from '../native/errors.ts'
import type { CopyProgress } from '../native/types.ts'
import type { LayerFiles } from './layer-files.ts'
import type { Rows, TransferRow } from './rows.ts'

/** QEMU is asked to copy a volume at most so often, with servers that were killed while they asked. */
const ATTEMPTS = 3
/**
 * A guest is paused only once so little has yet to be copied: it is paused until that is done. A
 * quarter of a second at the pace of a disk. Bytes.
 */
const LITTLE = 32 * 1024 * 1024
/** With less room in its pool, a copy that has failed was too large. Bytes. */
const FULL = 1024 * 1024
/** A call waits this long for QEMU to end a copy; then the next one goes on. Milliseconds. */
const END_MS = 10_000
/** Between two looks for that, while a guest may be paused. Milliseconds. */
const LOOK_MS = 10

/**
 * `ready`: the copy has been the same as the disk, and follows it. `ending`: QEMU was asked to end
 * the copy, with the guest on one side or the other.
 */
export type CopyPhase = 'copying' | 'ready' | 'ending'

/** The disk of a running machine, as libvirt knows it at a moment. */
export interface SeenDisk {
  /** Path of the file that the guest reads and writes. */
  path: string
  copy?: { path: string; phase: CopyPhase }
}

export interface RunningDisk extends SeenDisk {
  /** Undefined without a copy. */
  progress?: CopyProgress
  /** Whether it is paused, but not by a fault of a disk. */
  isPaused: boolean
}

export interface DiskCopies {
  /**
   * Looks at a disk. Undefined if its machine has ended.
   * @throws OtherHostError, MovingMachineError, LibvirtError
   */
  look: (machineId: string, volumeId: string) => Promise<RunningDisk | undefined>
  /** Begins to copy a disk to an empty file without a layer below it, which QEMU keeps the same. */
  begin: (machineId: string, volumeId: string, path: string) => Promise<void>
  /** Asks QEMU to end a copy, with the guest on the disk itself. */
  cancel: (machineId: string, volumeId: string) => Promise<void>
  /** Asks QEMU to end a copy that is ready, with the guest on the copy. */
  pivot: (machineId: string, volumeId: string) => Promise<void>
  /** Pauses a guest, and with it all writes. Its acknowledged writes are in the files of its disks. */
  pause: (machineId: string) => Promise<void>
  /** Continues a guest; does nothing if its machine has ended. */
  resume: (machineId: string) => Promise<void>
}

interface Parts {
  database: OpenDatabase
  rows: Rows
  files: LayerFiles
  /** Undefined where no machines run. */
  copies: DiskCopies | undefined
  /** Bytes that can still be written to a pool. */
  room: (poolId: string | null) => Promise<number>
  admit: (tx: Tx, id: string, fence: number | undefined) => Promise<void>
  /** Runs a change of the layers of a volume while nothing else uses it. */
  alone: <T>(volumeId: string, work: () => Promise<T>) => Promise<T>
  /** Completes a snapshot that was begun, and leaves a layer that a backup has. */
  advance: (volumeId: string) => Promise<void>
}

export interface RunningTransfers {
  /** As `StoragePools.move`, of a volume that a machine has, or had when its copy was begun. */
  move: (volumeId: string, poolId: string | null, fence: number | undefined) => Promise<PoolMove>
  /**
   * Ends the copy of a volume, with the guest where its row says. Nothing else uses the volume
   * meanwhile.
   * @throws ApiError 503 while QEMU has not ended it
   */
  stop: (volumeId: string) => Promise<void>
}

type Switch = 'done' | 'failed' | 'pending'

/** A transfer whose copy is made by the QEMU of a machine. */
type Running = TransferRow & { machine_id: string }
const isRunning = (transfer: TransferRow | undefined): transfer is Running =>
  transfer !== undefined && transfer.machine_id !== null

export function createRunningTransfers({
  database,
  rows,
  files,
  copies,
  room,
  admit,
  alone,
  advance,
}: Parts): RunningTransfers {
  const pathOf = ({ layer_id: layer }: TransferRow): string => files.path(layer)

  const look = (transfer: Running): Promise<RunningDisk | undefined> =>
    copies!.look(transfer.machine_id, transfer.volume_id)

  /** Looks until QEMU has ended a copy, or for a while. */
  async function lookUntilEnded(transfer: Running): Promise<RunningDisk | undefined> {
    const until = performance.now() + END_MS
    for (;;) {
      const seen = await look(transfer)
      if (!seen?.copy || performance.now() > until) return seen
      await pause(LOOK_MS)
    }
  }

  /** The guest writes to the copy, or has ended since. */
  async function arrive(transfer: Running): Promise<void> {
    const { volume_id: id, machine_id: machine, layer_id: copy } = transfer
    const unneeded = await database.transaction((tx) => rows.takeCopy(tx, id, copy))
    await copies!.resume(machine)
    await files.remove(unneeded)
    await database.transaction((tx) => rows.forgetTransfer(tx, id))
  }

  /** @throws LibvirtError if QEMU refuses; the guest goes on with the disk itself */
  async function pivot(transfer: Running): Promise<void> {
    const { machine_id: machine, volume_id: id } = transfer
    try {
      await copies!.pivot(machine, id)
    } catch (error) {
      // Without an answer, QEMU may do it yet.
      const isRefused = !(error instanceof LateCall || error instanceof AbandonedCall)
      if (isRefused && (await look(transfer))?.copy?.phase === 'ready') await goOn(transfer)
      throw error
    }
  }

  /** Continues a guest that was to go on with a copy, and has not. */
  async function goOn({ machine_id: machine, volume_id: id }: Running): Promise<void> {
    await copies!.resume(machine)
    await rows.changeTransfer(id, { switching: 0 })
  }

  /** Makes the guest go on with a copy that is ready, or finishes that after a crash. */
  async function goOnWithCopy(transfer: Running, seen: RunningDisk): Promise<Switch> {
    const { machine_id: machine, volume_id: id } = transfer
    await rows.changeTransfer(id, { switching: 1 })
    await copies!.pause(machine)
    // A server before may have asked already.
    if (seen.copy?.phase === 'ready') await pivot(transfer)
    const after = await lookUntilEnded(transfer)
    if (after?.path === pathOf(transfer)) {
      await arrive(transfer)
      return 'done'
    }
    // Also if the machine has ended: nobody knows which file it would have gone on with, and until
    // then both were the same.
    if (after?.copy) return 'pending'
    await goOn(transfer)
    return 'failed'
  }

  /** Makes the file for the copy, and asks QEMU to copy the volume to it. */
  async function begin(transfer: Running, seen: RunningDisk): Promise<void> {
    const { volume_id: id, machine_id: machine, layer_id: copy, attempts, pool_id } = transfer
    const layer = await rows.layer(copy)
    const { layer_id: present } = await rows.volume(id)
    // Layers may have bytes of the same place, so this is the most that is copied. Guests in a pool
    // that a copy fills would be paused.
    const bytes = Math.min(layer.size, await files.bytes(await rows.chain(present)))
    const full = () => new NoSpaceError('the storage pool has no room for the disk')
    if (attempts > 0 && (await room(pool_id)) < FULL) throw full()
    await files.remove([copy])
    if ((await room(pool_id)) < bytes) throw full()
    if (attempts >= ATTEMPTS) throw new DiskCopyError(copyFailure(undefined))
    if (seen.path !== files.path(present)) {
      throw new Error(`the guest of volume ${id} does not use its layer`)
    }
    await files.make(layer)
    await rows.changeTransfer(id, { attempts: attempts + 1 })
    await copies!.begin(machine, id, pathOf(transfer)).catch((error: unknown) => {
      if (attempts + 1 < ATTEMPTS) throw error
      throw new DiskCopyError(copyFailure(error))
    })
  }

  async function step(transfer: Running): Promise<PoolMove> {
    const { layer_id: present } = await rows.volume(transfer.volume_id)
    if (present === transfer.layer_id) {
      await arrive(transfer)
      return { done: true, part: 1 }
    }
    const seen = await look(transfer)
    if (!seen) throw new DiskCopyError(diskMoveMessages.ended)
    const { copy, progress, isPaused } = seen
    const isSwitching = transfer.switching === 1 || seen.path === pathOf(transfer)
    const left = progress === undefined ? 0 : progress.total - progress.done
    if (isSwitching || (copy?.phase === 'ready' && left <= LITTLE && !isPaused)) {
      return { done: (await goOnWithCopy(transfer, seen)) === 'done', part: 1 }
    }
    if (!copy) await begin(transfer, seen)
    if (!progress || progress.total === 0) return { done: false }
    return { done: false, part: progress.done / progress.total }
  }

  /** The transfer of a volume by the machine that has it, which is begun unless it was. */
  const transferBy = (volumeId: string, poolId: string | null, fence: number | undefined) =>
    database.transaction(async (tx) => {
      await admit(tx, volumeId, fence)
      const begun = await rows.transferOf(volumeId, tx)
      if (isRunning(begun) && begun.pool_id === poolId) return { transfer: begun, unneeded: [] }
      const { machine_id: machine } = await rows.volume(volumeId, tx)
      if (machine === null) throw new DiskCopyError(diskMoveMessages.ended)
      const { unneeded } = await rows.beginTransfer(tx, volumeId, poolId)
      await rows.changeTransfer(volumeId, { machine_id: machine }, tx)
      return { transfer: (await rows.transferOf(volumeId, tx)) as Running, unneeded }
    })

  return {
    move: (volumeId, poolId, fence) =>
      alone(volumeId, async () => {
        const { machine_id: machine } = await rows.volume(volumeId)
        const begun = await rows.transferOf(volumeId)
        if (!isRunning(begun)) {
          // One that starts or ends is waited for.
          if (!copies || machine === null || !(await copies.look(machine, volumeId))) {
            throw fail.unavailable(diskInUse.byInstance)
          }
          await advance(volumeId)
        }
        const { transfer, unneeded } = await transferBy(volumeId, poolId, fence)
        await files.remove(unneeded)
        return step(transfer)
      }),

    async stop(volumeId) {
      const transfer = await rows.transferOf(volumeId)
      if (!isRunning(transfer) || !copies) return
      const { layer_id: present } = await rows.volume(volumeId)
      if (present === transfer.layer_id) return arrive(transfer)
      const seen = await look(transfer)
      if (!seen) return
      if (transfer.switching === 1 || seen.path === pathOf(transfer)) {
        if ((await goOnWithCopy(transfer, seen)) !== 'pending') return
        throw fail.unavailable(diskInUse.byInstance)
      }
      if (!seen.copy) return
      await copies.cancel(transfer.machine_id, volumeId)
      if ((await lookUntilEnded(transfer))?.copy) throw fail.unavailable(diskInUse.byInstance)
    },
  }
}
