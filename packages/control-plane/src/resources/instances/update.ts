import type { Wire } from '@steading/api'
import { instanceCan, isUuid } from '@steading/api/rules'
import type { Context } from '../../kernel/context.ts'
import { fail } from '../../kernel/errors.ts'
import { changeInstance } from './change.ts'
import { validateSize } from './validate.ts'
import type { InstanceRow } from './view.ts'

async function bootDiskId(
  ctx: Context,
  row: InstanceRow,
  selector: string | null,
): Promise<string | null> {
  if (selector === null) return null
  const byId = isUuid(selector)
  const disk = await ctx.db
    .selectFrom('disk')
    .select(['id', 'instance_id'])
    .where('project_id', '=', row.project_id)
    .where(byId ? 'id' : 'name', '=', selector)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (!disk) {
    throw byId ? fail.notFoundById('disk', selector) : fail.notFoundByName('disk', selector)
  }
  if (disk.instance_id !== row.id) throw fail.conflict('boot disk must be attached')
  return disk.id
}

/** Replaces size, boot disk and policies, all or nothing (control plane 6.4). */
export async function updateInstance(
  ctx: Context,
  row: InstanceRow,
  body: Wire.InstanceUpdate,
): Promise<InstanceRow> {
  const { ncpus, memory, cpu_platform, auto_restart_policy } = body
  validateSize(body)
  if (body.enable_jumbo_frames) {
    throw fail.invalidRequest(
      'enable_jumbo_frames may only be set to true when the fleet-wide jumbo-frames opt-in is enabled by a fleet administrator',
    )
  }
  if (body.multicast_groups && body.multicast_groups.length > 0) {
    throw fail.invalidRequest('multicast functionality is currently disabled')
  }
  const resized = ncpus !== row.ncpus || memory !== row.memory || cpu_platform !== row.cpu_platform
  if (resized && !instanceCan('resize', row.run_state)) {
    throw fail.conflict('instance must be stopped to change CPU or memory')
  }
  const boot_disk_id = await bootDiskId(ctx, row, body.boot_disk)
  if (boot_disk_id !== row.boot_disk_id && !instanceCan('updateBootDisk', row.run_state)) {
    throw fail.conflict('instance must be stopped to set boot disk')
  }
  const now = ctx.now.toISOString()
  const changed = await changeInstance(
    ctx.db,
    row,
    {
      ncpus,
      memory,
      cpu_platform,
      boot_disk_id,
      auto_restart_policy,
      time_modified: now,
      // A failed instance may have become due for a restart, or no longer be.
      ...(row.run_state === 'failed' ? { reconcile_at: now } : {}),
    },
    ctx.now,
  )
  if (!changed) throw fail.conflict('instance changed state before it could be updated')
  ctx.afterCommit(async () => ctx.services.reconciler.wake())
  return changed
}
