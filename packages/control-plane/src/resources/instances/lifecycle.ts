import type { Updateable } from 'kysely'
import { leaveGroups } from '../affinity/members.ts'
import type { InstanceTable } from '../../kernel/db/schema.ts'
import { fail } from '../../kernel/errors.ts'
import type { Work, Writing } from '../../kernel/work.ts'
import { changeDisk } from '../disks/change.ts'
import { releaseExternalIps } from '../external-ips/floating.ts'
import { changeInstance } from './change.ts'
import { takeResources } from './resources.ts'
import type { InstanceRow } from './view.ts'

const stillCreating = () =>
  fail.invalidRequest('cannot change instance state while it is still being created')
const cannotChange = (state: string, hasVm: boolean) =>
  fail.invalidRequest(`instance state cannot be changed from ${hasVm ? `state "${state}"` : state}`)

async function change(
  work: Work,
  row: InstanceRow,
  values: Updateable<InstanceTable>,
): Promise<InstanceRow> {
  const changed = await changeInstance(
    work.db,
    row,
    { ...values, reconcile_at: work.now.toISOString() },
    work.now,
  )
  if (!changed) throw fail.conflict('instance changed state before it could be started')
  work.afterCommit(async () => work.services.reconciler.wake())
  return changed
}

/** Begins to start an instance (control plane 6.1). */
export async function startInstance(work: Work, row: InstanceRow): Promise<InstanceRow> {
  switch (row.run_state) {
    case 'starting':
    case 'running':
    case 'rebooting':
    case 'migrating':
      return row
    case 'stopped':
    case 'failed':
      return change(work, row, {
        run_state: 'starting',
        reboot_count: 0,
        ...(await takeResources(work.db, row)),
      })
    case 'stopping':
      throw fail.conflict('instance must finish stopping before it can be started')
    default:
      throw fail.conflict(
        `instance is in state ${row.run_state} but it must be stopped to be started`,
      )
  }
}

/** Begins to stop an instance (control plane 6.1). */
export async function stopInstance(work: Work, row: InstanceRow): Promise<InstanceRow> {
  switch (row.run_state) {
    case 'stopped':
    case 'stopping':
      return row
    case 'starting':
    case 'running':
    case 'rebooting':
    case 'migrating':
      return change(work, row, { run_state: 'stopping' })
    case 'failed':
      return change(work, row, { run_state: 'stopped' })
    case 'creating':
      throw stillCreating()
    default:
      throw cannotChange(row.run_state, row.vm_id !== null)
  }
}

/** Begins to reboot a running instance (control plane 6.1; running only, by decision). */
export async function rebootInstance(work: Work, row: InstanceRow): Promise<InstanceRow> {
  switch (row.run_state) {
    case 'running':
      return change(work, row, { run_state: 'rebooting', reboot_count: row.reboot_count + 1 })
    case 'stopped':
      throw fail.invalidRequest('cannot reboot an instance in state stopped with no VMM')
    case 'creating':
      throw stillCreating()
    case 'failed':
    case 'destroyed':
      throw cannotChange(row.run_state, false)
    default:
      throw fail.invalidRequest(`cannot reboot instance in state "${row.run_state}"`)
  }
}

/**
 * Deletes a stopped or failed instance (control plane 6.8): its disks and floating addresses stay,
 * detached; its interfaces, other addresses and memberships go.
 */
export async function deleteInstance(work: Writing, row: InstanceRow): Promise<void> {
  if (row.vm_id !== null) {
    throw fail.invalidRequest(
      'cannot delete instance: instance is running or has not yet fully stopped',
    )
  }
  if (row.run_state !== 'stopped' && row.run_state !== 'failed') {
    throw fail.invalidRequest(`instance cannot be deleted in state "${row.run_state}"`)
  }
  const { db, now } = work
  const deleted = await changeInstance(
    db,
    row,
    { run_state: 'destroyed', time_deleted: now.toISOString(), reconcile_at: null },
    now,
    'delete',
  )
  if (!deleted) throw fail.conflict('instance changed state before it could be deleted')
  const disks = await db
    .selectFrom('disk')
    .selectAll()
    .where('instance_id', '=', row.id)
    .where('time_deleted', 'is', null)
    .execute()
  for (const disk of disks) {
    await changeDisk(db, disk, { state: 'detached', instance_id: null, slot: null }, now)
  }
  await db.deleteFrom('network_interface').where('instance_id', '=', row.id).execute()
  await db.deleteFrom('instance_ssh_key').where('instance_id', '=', row.id).execute()
  await leaveGroups(work, row)
  await releaseExternalIps(work, row.id)
}
