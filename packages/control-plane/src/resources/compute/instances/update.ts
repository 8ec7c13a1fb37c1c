import type { Wire } from '@steading/api'
import { instanceRefusal, jumboFramesMessages } from '@steading/api/rules'
import { fail, refuseIf } from '../../../kernel/errors.ts'
import { ifNamed, type LookupContext, lookup } from '../../../kernel/lookup.ts'
import type { Work } from '../../../kernel/work.ts'
import { isEnabled } from '../../system-networking/networking-settings/settings.ts'
import { replaceMemberships } from '../../networking/multicast-groups/join.ts'
import { changeInstance } from './change.ts'
import { columnsOf, isResize, settingsOf } from './settings.ts'
import { validateSize } from './validate.ts'
import type { InstanceRow } from './wire.ts'

async function bootDiskId(
  context: LookupContext<'disk'>,
  row: InstanceRow,
  selector: string | null,
): Promise<string | null> {
  if (selector === null) return null
  const disk = await lookup(
    context,
    'disk',
    selector,
    ifNamed(selector, { project: row.project_id }),
  )
  if (disk.instance_id !== row.id) throw fail.conflict('boot disk must be attached')
  return disk.id
}

/** Replaces size, boot disk and policies, all or nothing (control plane 6.4). */
export async function updateInstance(
  work: Work & LookupContext<'disk' | 'multicast_group'>,
  row: InstanceRow,
  body: Wire.InstanceUpdate,
): Promise<InstanceRow> {
  validateSize(body)
  const columns = columnsOf(body)
  // A setting that is already on may stay when the fleet no longer allows it.
  const isNewlyJumbo = body.enable_jumbo_frames && !row.enable_jumbo_frames
  if (isNewlyJumbo && !(await isEnabled(work.db, 'external_jumbo_frames'))) {
    throw fail.invalidRequest(jumboFramesMessages.update)
  }
  if (isResize(row, columns)) refuseIf(instanceRefusal('resize', row.run_state))
  const boot_disk_id = await bootDiskId(work, row, body.boot_disk)
  if (boot_disk_id !== row.boot_disk_id) refuseIf(instanceRefusal('updateBootDisk', row.run_state))
  const now = work.now.toISOString()
  const changed = await changeInstance(work, row, {
    ...columns,
    boot_disk_id,
    time_modified: now,
    // The change may decide whether a failed instance is restarted.
    ...(row.run_state === 'failed' ? { reconcile_at: now } : {}),
  })
  if (!changed) throw fail.conflict('instance changed state before it could be updated')
  if (body.multicast_groups) {
    await replaceMemberships(work, work.actor.siloId, row, body.multicast_groups)
  }
  work.afterCommit(async () => work.services.reconciler.wake('instance'))
  return changed
}

/** Clears the boot disk of an instance, so that the disk can be detached. */
export async function unsetBootDisk(
  work: Work & LookupContext<'disk' | 'multicast_group'>,
  row: InstanceRow,
): Promise<InstanceRow> {
  const { hostname: _, ...kept } = settingsOf(row)
  return updateInstance(work, row, {
    ...kept,
    boot_disk: null,
    multicast_groups: null,
  })
}
