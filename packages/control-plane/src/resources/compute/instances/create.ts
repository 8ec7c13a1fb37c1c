import type { Wire } from '@steading/api'
import { isUuid, jumboFramesMessages } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import { joinGroups } from '../affinity/members.ts'
import { attachDisk } from '../../storage/disks/attach.ts'
import { createDisk, type CreateDiskContext } from '../../storage/disks/create.ts'
import type { PoolRow } from '../../storage/storage-pools/choose.ts'
import { createExternalIps } from '../../networking/external-ips/create.ts'
import { createInterfaces } from '../../networking/network-interfaces/create.ts'
import { isEnabled } from '../../system-networking/networking-settings/settings.ts'
import { type JoinContext, replaceMemberships } from '../../networking/multicast-groups/join.ts'
import { columnsOf } from './settings.ts'
import { validateCreate } from './validate.ts'
import type { InstanceRow } from './wire.ts'
import { newNamed } from '../../../kernel/named-rows.ts'
import { unclaimed } from '../../../kernel/db/leases.ts'
import { changeRow } from '../../../kernel/db/rows.ts'

/** A call that creates instances. It may look up every kind of resource the body can name. */
type InstanceMaker = Writing &
  CreateDiskContext &
  JoinContext &
  LookupContext<'disk' | 'floating_ip' | 'anti_affinity_group' | 'vpc_subnet'>

interface DiskOptions {
  /** Another project whose snapshots may be sources of disks, for clones. */
  snapshotsOf?: string
  /** The storage pools of new disks, by their names; the usual one of others. */
  pools?: ReadonlyMap<string, PoolRow>
}

async function addDisk(
  work: InstanceMaker,
  project: Row<'project'>,
  instance: InstanceRow,
  wanted: Wire.InstanceDiskAttachment,
  slot: number,
  { snapshotsOf, pools }: DiskOptions,
): Promise<Row<'disk'>> {
  if (wanted.type === 'create') {
    const place = { instanceId: instance.id, slot }
    const pool = pools?.get(wanted.name)
    return createDisk(work, project, wanted, place, { snapshotsOf, pool })
  }
  const disk = await lookup(work, 'disk', wanted.name, { project: project.id })
  return attachDisk(work, instance, disk)
}

/** All disks of a new instance, the boot disk first. */
const disksOf = ({ boot_disk, disks }: Wire.InstanceCreate): Wire.InstanceDiskAttachment[] =>
  boot_disk ? [boot_disk, ...disks] : disks

/** Names of the disks that are created with an instance. */
export const newDisksOf = (body: Wire.InstanceCreate): string[] =>
  disksOf(body).flatMap(({ type, name }) => (type === 'create' ? [name] : []))

/** Ids of the caller's keys to install: the requested ones, or all. */
async function sshKeyIds(
  { db, actor }: Pick<Work, 'db' | 'actor'>,
  wanted: string[] | null | undefined,
): Promise<string[]> {
  const own = await rowsOf(db, 'ssh_key')
    .select(['its.id', 'its.name'])
    .where('silo_user_id', '=', actor.userId)
    .execute()
  if (!wanted) return own.map(({ id }) => id)
  const ids = wanted.map((selector) => {
    const byId = isUuid(selector)
    const key = own.find(({ id, name }) => (byId ? id === selector : name === selector))
    if (key) return key.id
    throw byId ? fail.notFoundById('ssh-key', selector) : fail.notFoundByName('ssh-key', selector)
  })
  return [...new Set(ids)]
}

/**
 * Creates an instance with its groups, disks, interfaces, addresses and keys, all or nothing
 * (control plane 6.3). It begins in state `creating`; the reconciler finishes and starts it.
 */
export async function createInstance(
  work: InstanceMaker,
  project: Row<'project'>,
  body: Wire.InstanceCreate,
  options: DiskOptions = {},
): Promise<InstanceRow> {
  const { db, now } = work
  validateCreate(body)
  if (body.enable_jumbo_frames && !(await isEnabled(db, 'external_jumbo_frames'))) {
    throw fail.invalidRequest(jumboFramesMessages.create)
  }
  const time = now.toISOString()
  const instance: InstanceRow = {
    ...newNamed(work, body),
    time_deleted: null,
    project_id: project.id,
    ...columnsOf(body),
    user_data: body.user_data,
    run_state: 'creating',
    time_run_state_updated: time,
    boot_disk_id: null,
    time_last_auto_restarted: null,
    start_wanted: body.start ? 1 : 0,
    vm_id: null,
    last_vm_id: null,
    failure: null,
    restart_problem: null,
    pause: null,
    time_paused: null,
    firmware: null,
    nothing_to_boot: 0,
    sled_id: null,
    destination_sled_id: null,
    migration_id: null,
    reboot_count: 0,
    generation: 1,
    reconcile_at: time,
    ...unclaimed,
  }
  await db.insertInto('instance').values(instance).execute()
  await joinGroups(work, 'anti_affinity_group', instance, body.anti_affinity_groups)

  for (const [slot, wanted] of disksOf(body).entries()) {
    const disk = await addDisk(work, project, instance, wanted, slot, options)
    if (slot === 0 && body.boot_disk) instance.boot_disk_id = disk.id
  }
  if (instance.boot_disk_id !== null) {
    await changeRow(db, 'instance', instance.id, { boot_disk_id: instance.boot_disk_id })
  }
  const interfaces = await createInterfaces(work, instance, body.network_interfaces)
  await createExternalIps(work, project, instance, body.external_ips, interfaces)
  if (body.multicast_groups.length > 0) {
    await replaceMemberships(work, project.silo_id, instance, body.multicast_groups)
  }
  const keys = await sshKeyIds(work, body.ssh_public_keys)
  if (keys.length > 0) {
    await db
      .insertInto('instance_ssh_key')
      .values(keys.map((ssh_key_id) => ({ instance_id: instance.id, ssh_key_id })))
      .execute()
  }
  await work.emit('instance', 'create', instance)
  return instance
}
