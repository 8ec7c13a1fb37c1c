import { INSTANCE_MAX_DISKS, instanceRefusal } from '@steading/api/rules'
import { fail, refuseIf } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeDisk } from './change.ts'

const busy = () => fail.conflict('disk changed while it was being attached or detached; try again')

/**
 * Attaches a disk to an instance; does nothing if it is already attached there (control plane 7.3).
 * @throws ApiError 400 for states that do not allow it, and for a thirteenth disk
 */
export async function attachDisk(
  work: Writing,
  instance: Row<'instance'>,
  disk: Row<'disk'>,
): Promise<Row<'disk'>> {
  if (disk.project_id !== instance.project_id) {
    throw fail.invalidRequest('disk must be in the same project as the instance')
  }
  if (disk.instance_id === instance.id) return disk
  refuseIf(instanceRefusal('attachDisk', instance.run_state))
  const others = await work.db
    .selectFrom('disk')
    .select('slot')
    .where('instance_id', '=', instance.id)
    .where('time_deleted', 'is', null)
    .execute()
  if (others.length >= INSTANCE_MAX_DISKS) {
    throw fail.invalidRequest(`cannot attach more than ${INSTANCE_MAX_DISKS} disks to instance`)
  }
  if (disk.instance_id !== null) {
    throw fail.invalidRequest(
      `cannot attach disk "${disk.name}": disk is attached to another instance`,
    )
  }
  if (disk.state !== 'detached' && disk.state !== 'creating') {
    throw fail.invalidRequest(`cannot attach disk "${disk.name}": invalid state ${disk.state}`)
  }
  const slots = new Set(others.map(({ slot }) => slot))
  const slot = Array.from({ length: INSTANCE_MAX_DISKS }, (_, i) => i).find((i) => !slots.has(i))!
  const attached = await changeDisk(work, disk, {
    instance_id: instance.id,
    slot,
    // A disk in state `creating` becomes attached when it is ready.
    ...(disk.state === 'detached' ? { state: 'attached' } : {}),
  })
  if (!attached) throw busy()
  return attached
}

/**
 * Detaches a disk from an instance; does nothing if it is not attached (control plane 7.3).
 * @throws ApiError 400 for states that do not allow it, 409 for the boot disk
 */
export async function detachDisk(
  work: Writing,
  instance: Row<'instance'>,
  disk: Row<'disk'>,
): Promise<Row<'disk'>> {
  if (disk.state === 'detached') return disk
  refuseIf(instanceRefusal('detachDisk', instance.run_state))
  const refuse = (reason: string) =>
    fail.invalidRequest(`cannot detach disk "${disk.name}": ${reason}`)
  if (disk.instance_id !== null && disk.instance_id !== instance.id) {
    throw refuse('disk is attached to another instance')
  }
  if (instance.boot_disk_id === disk.id) throw fail.conflict('boot disk cannot be detached')
  if (disk.state === 'attaching') throw refuse('disk is currently being attached')
  if (disk.state !== 'attached') throw refuse(`invalid state ${disk.state}`)
  const detached = await changeDisk(work, disk, {
    state: 'detached',
    instance_id: null,
    slot: null,
  })
  if (!detached) throw busy()
  return detached
}
