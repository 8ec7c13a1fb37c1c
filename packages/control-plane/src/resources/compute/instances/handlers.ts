import type { tables } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { ifNamed, type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { storyOfInstance } from '../../hardware/host-fencing/events.ts'
import { attachDisk, detachDisk } from '../../storage/disks/attach.ts'
import { type DiskRow, toWireDisk } from '../../storage/disks/wire.ts'
import { attachEphemeral, detachEphemeral } from '../../networking/external-ips/ephemeral.ts'
import { externalIpsOf } from '../../networking/external-ips/of-instances.ts'
import { toWireExternalIp } from '../../networking/external-ips/kind.ts'
import { toWireSshKey } from '../../identity/ssh-keys/kind.ts'
import { createInstance } from './create.ts'
import { deleteInstance, rebootInstance, startInstance, stopInstance } from './lifecycle.ts'
import { updateInstance } from './update.ts'
import { type InstanceRow, wireColumns, toWireFor } from './wire.ts'
import { guestWait, toWireFailure, toWirePause } from './failure.ts'

/** The disk named in a body: by id, or by name in the project of the instance. */
const lookupDisk = (
  ctx: LookupContext<'disk'>,
  instance: InstanceRow,
  selector: string,
): Promise<DiskRow> =>
  lookup(ctx, 'disk', selector, ifNamed(selector, { project: instance.project_id }))

const instances = usualHandlers('instance', (rows: InstanceRow[], work) =>
  rows.map((row) => toWireFor(work, row)),
)

export const instanceHandlers: Handlers<typeof tables.instanceOperations> = {
  instance_search: instances.search,
  instance_view: instances.view,
  instance_update: instances.change(updateInstance),
  instance_delete: instances.delete(deleteInstance),
  instance_start: instances.change(startInstance),
  instance_stop: instances.change(stopInstance),
  instance_reboot: instances.change(rebootInstance),
  instance_deletion: instances.deletion,

  async instance_list(ctx) {
    const { id } = await instances.container(ctx)
    const rows = rowsOf(ctx.db, 'instance').select(wireColumns).where('project_id', '=', id)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, (row) => toWireFor(ctx, row))
  },

  async instance_create(ctx) {
    const { id } = await createInstance(ctx, await instances.container(ctx), ctx.body)
    return instances.settled(ctx, id)
  },

  async instance_disk_list(ctx) {
    const instance = await instances.find(ctx)
    const rows = rowsOf(ctx.db, 'disk').selectAll().where('instance_id', '=', instance.id)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireDisk)
  },
  async instance_disk_attach(ctx) {
    const instance = await instances.find(ctx)
    const disk = await lookupDisk(ctx, instance, ctx.body.disk)
    return toWireDisk(await attachDisk(ctx, instance, disk))
  },
  async instance_disk_detach(ctx) {
    const instance = await instances.find(ctx)
    const disk = await lookupDisk(ctx, instance, ctx.body.disk)
    return toWireDisk(await detachDisk(ctx, instance, disk))
  },

  async instance_external_ip_list(ctx) {
    const { id } = await instances.find(ctx)
    const ips = await externalIpsOf(ctx.db, [id])
    return { items: ips.get(id)!, next_page: null }
  },
  async instance_ephemeral_ip_attach(ctx) {
    const instance = await instances.find(ctx)
    return toWireExternalIp(await attachEphemeral(ctx, instance, ctx.body.pool_selector))
  },
  async instance_ephemeral_ip_detach(ctx) {
    await detachEphemeral(ctx, await instances.find(ctx), ctx.query.ip_version)
  },
  async instance_ssh_public_key_list(ctx) {
    const instance = await instances.find(ctx)
    const rows = rowsOf(ctx.db, 'ssh_key')
      .innerJoin('instance_ssh_key as link', 'link.ssh_key_id', 'its.id')
      .selectAll('its')
      .where('link.instance_id', '=', instance.id)
    return listPage(ctx.page, rows, { name: 'its.name', id: 'its.id' }, toWireSshKey)
  },

  async instance_failure(ctx) {
    const { autoRestartCooldownMs } = ctx.services.settings
    const instance = await instances.find(ctx)
    return {
      failure: toWireFailure(instance, autoRestartCooldownMs),
      pause: toWirePause(instance),
      firmware: instance.firmware,
      nothing_to_boot: instance.nothing_to_boot === 1,
      guest_wait: guestWait(instance, ctx.services.patience),
      host_story: await storyOfInstance(ctx.db, ctx.now, instance),
    }
  },
}
