import {
  instanceOutcome,
  instanceRefusal,
  type InstanceRequest,
  type InstanceState,
} from '@steading/api/rules'
import type { Updateable } from 'kysely'
import { leaveGroups } from '../affinity/members.ts'
import { leaveGroups as leaveMulticastGroups } from '../../networking/multicast-groups/join.ts'
import { noteState } from '../../networking/multicast-groups/notice.ts'
import type { InstanceTable } from './table.ts'
import { ApiError, fail } from '../../../kernel/errors.ts'
import { freeInterfaceAddresses } from '../../networking/network-interfaces/subnet-addresses.ts'
import type { Work } from '../../../kernel/work.ts'
import { dropClone } from '../instance-clones/drop.ts'
import { changeDisk } from '../../storage/disks/change.ts'
import { releaseExternalIps } from '../../networking/external-ips/floating.ts'
import { releaseExternalSubnets } from '../../networking/external-subnets/attach.ts'
import { keeping } from '../../workspace/deleted-resources/keep.ts'
import { changeInstance } from './change.ts'
import { takeResources } from './resources.ts'
import type { InstanceRow } from './wire.ts'

async function change(
  work: Work,
  row: InstanceRow,
  values: Updateable<InstanceTable>,
): Promise<InstanceRow> {
  const reconcile_at = work.now.toISOString()
  const changed = await changeInstance(work, row, { ...values, reconcile_at })
  const next = values.run_state as InstanceState | undefined
  if (!changed) throw fail.conflict('instance changed state before it could be started')
  const due = await noteState(work.db, work.now, row, next)
  work.afterCommit(async () => {
    work.services.reconciler.wake('instance')
    if (due) work.services.reconciler.wake('multicast_group')
  })
  return changed
}

/**
 * The state that a request leads to; undefined if the instance is in that state or on the way to
 * it.
 * @throws ApiError if the state of the instance does not allow the request
 */
function next(request: InstanceRequest, row: InstanceRow): InstanceState | undefined {
  const outcome = instanceOutcome(request, row.run_state)
  if (outcome === 'already') return undefined
  if ('refusal' in outcome) throw new ApiError(outcome.refusal)
  return outcome.to
}

/** Begins to start an instance. */
export async function startInstance(work: Work, row: InstanceRow): Promise<InstanceRow> {
  const run_state = next('start', row)
  if (!run_state) return row
  const placement = await takeResources(work.db, row, work.now)
  return change(work, row, { run_state, reboot_count: 0, ...placement })
}

/** Begins to stop an instance. */
export async function stopInstance(work: Work, row: InstanceRow): Promise<InstanceRow> {
  const run_state = next('stop', row)
  return run_state ? change(work, row, { run_state }) : row
}

/** Begins to reboot an instance. */
export async function rebootInstance(work: Work, row: InstanceRow): Promise<InstanceRow> {
  const run_state = next('reboot', row)
  return run_state ? change(work, row, { run_state, reboot_count: row.reboot_count + 1 }) : row
}

/**
 * Deletes a stopped or failed instance (control plane 6.8): its disks, floating addresses and
 * external subnets stay, detached; its interfaces, other addresses and memberships are deleted.
 */
export const deleteInstance = (work: Work, row: InstanceRow): Promise<void> =>
  keeping(work, 'instance', row, () => destroyInstance(work, row))

async function destroyInstance(work: Work, row: InstanceRow): Promise<void> {
  const refusal = instanceRefusal('delete', row.run_state, row.vm_id !== null)
  if (refusal) throw new ApiError(refusal)
  const { db, now } = work
  const deleted = await changeInstance(
    work,
    row,
    {
      run_state: 'destroyed',
      time_deleted: now.toISOString(),
      // The reconciler destroys the instance's previous machine.
      reconcile_at: row.last_vm_id === null ? null : now.toISOString(),
    },
    'delete',
  )
  if (!deleted) throw fail.conflict('instance changed state before it could be deleted')
  if (row.last_vm_id !== null) work.afterCommit(async () => work.services.reconciler.wake())
  const disks = await db
    .selectFrom('disk')
    .selectAll()
    .where('instance_id', '=', row.id)
    .where('time_deleted', 'is', null)
    .execute()
  for (const disk of disks) {
    // A disk that is being rolled back is detached when it is done.
    const state = disk.state === 'maintenance' ? disk.state : 'detached'
    await changeDisk(work, disk, { state, instance_id: null, slot: null })
  }
  const interfaces = await db
    .deleteFrom('network_interface')
    .where('instance_id', '=', row.id)
    .returning(['subnet_id', 'ipv4', 'ipv6'])
    .execute()
  await freeInterfaceAddresses(db, interfaces)
  await db.deleteFrom('instance_ssh_key').where('instance_id', '=', row.id).execute()
  await dropClone(db, row.id)
  await leaveGroups(work, row)
  await leaveMulticastGroups(work, row)
  await releaseExternalIps(work, row.id)
  await releaseExternalSubnets(work, row.id)
}
