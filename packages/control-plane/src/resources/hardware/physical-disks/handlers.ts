import type { tables, Wire } from '@steading/api'
import { FLEET_ID, physicalDiskName } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage, pageOfFew } from '../../../kernel/paging.ts'
import { each } from '../../../kernel/search/search.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { setRackAlarms } from '../hardware/rack-alarm.ts'
import { seenIn, unusedDisks } from '../hardware/unused-hardware.ts'
import { expungePhysicalDisks } from './expunge.ts'
import { summarizeReplicas } from './summary.ts'
import { toWirePhysicalDisk as toWire } from './kind.ts'

const toWireRequest = ({
  id,
  vendor,
  model,
  serial,
  time_created,
}: Row<'disk_adoption_request'>): Wire.PhysicalDiskAdoptionRequest => ({
  id,
  disk_id: { vendor, model, serial },
  time_created,
})

const disks = usualHandlers('physical_disk', each(toWire), 'disk_id')

export const physicalDiskHandlers: Handlers<typeof tables.physicalDiskOperations> = {
  physical_disk_list: disks.list,
  physical_disk_search: disks.search,
  physical_disk_view: disks.view,

  async sled_physical_disk_list(ctx) {
    const sled = await lookup(ctx, 'sled', ctx.params.sled_id)
    const rows = rowsOf(ctx.db, 'physical_disk').selectAll().where('sled_id', '=', sled.id)
    return listPage(ctx.page, rows, { id: 'id' }, toWire)
  },

  async physical_disk_expunge(ctx) {
    const disk = await disks.find(ctx)
    await expungePhysicalDisks(ctx, [disk])
    return toWire({ ...disk, policy: 'expunged' })
  },

  async disk_replica_summary(ctx) {
    authorize(ctx, 'physical_disk', {})
    return summarizeReplicas(ctx.db)
  },

  async physical_disk_list_unadopted(ctx) {
    authorize(ctx, 'physical_disk', {})
    const waiting: Wire.UnadoptedPhysicalDisk[] = []
    for (const rack of await ctx.db.selectFrom('rack').select('seen').execute()) {
      for (const disk of await unusedDisks(ctx.db, seenIn(rack))) {
        const { vendor, model, serial, slot, formFactor, sledId } = disk
        const disk_id = { vendor, model, serial }
        waiting.push({ disk_id, sled_id: sledId, slot, variant: formFactor })
      }
    }
    return pageOfFew(ctx.page, waiting, ({ disk_id }) => disk_id.serial)
  },

  async physical_disk_list_adoption_requests(ctx) {
    authorize(ctx, 'disk_adoption_request', {})
    const rows = rowsOf(ctx.db, 'disk_adoption_request').selectAll()
    return listPage(ctx.page, rows, { id: 'id' }, toWireRequest)
  },

  async physical_disk_enable_adoption(ctx) {
    authorize(ctx, 'disk_adoption_request', {})
    const { vendor, model, serial } = ctx.body
    const adopted = await ctx.db
      .selectFrom('physical_disk')
      .select('id')
      .where('vendor', '=', vendor)
      .where('model', '=', model)
      .where('name', '=', serial)
      .where('policy', '=', 'in_service')
      .executeTakeFirst()
    if (adopted) {
      throw fail.conflict(`physical disk already adopted: ${physicalDiskName(ctx.body)}`)
    }
    const asked = await ctx.db
      .selectFrom('disk_adoption_request')
      .selectAll()
      .where('vendor', '=', vendor)
      .where('model', '=', model)
      .where('serial', '=', serial)
      .executeTakeFirst()
    if (asked) return toWireRequest(asked)
    const request = {
      id: crypto.randomUUID(),
      fleet_id: FLEET_ID,
      vendor,
      model,
      serial,
      time_created: ctx.now.toISOString(),
    }
    await ctx.db.insertInto('disk_adoption_request').values(request).execute()
    await setRackAlarms(ctx.db, ctx.now)
    ctx.afterCommit(async () => ctx.services.reconciler.wake('rack'))
    await ctx.emit('disk_adoption_request', 'create', { id: request.id, name: serial })
    return toWireRequest(request)
  },

  async physical_disk_disable_adoption(ctx) {
    const id = ctx.params.physical_disk_adoption_req_id
    const missing = () => fail.notFoundGeneric(`No active adoption request found for id: ${id}`)
    authorize(ctx, 'disk_adoption_request', {}, missing)
    const request = await ctx.db
      .deleteFrom('disk_adoption_request')
      .where('id', '=', id)
      .returning('serial')
      .executeTakeFirst()
    if (!request) throw missing()
    await ctx.emit('disk_adoption_request', 'delete', { id, name: request.serial })
  },
}
