import type { tables, Wire } from '@steading/api'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'

const used = (silo: Row<'silo'>): Wire.VirtualResourceCounts => ({
  cpus: silo.used_cpus,
  memory: silo.used_memory,
  storage: silo.used_storage,
})

const quota = (silo: Row<'silo'>): Wire.VirtualResourceCounts => ({
  cpus: silo.quota_cpus,
  memory: silo.quota_memory,
  storage: silo.quota_storage,
})

const ofSilo = (silo: Row<'silo'>): Wire.SiloUtilization => ({
  silo_id: silo.id,
  silo_name: silo.name,
  provisioned: used(silo),
  allocated: quota(silo),
})

export const utilizationHandlers: Handlers<typeof tables.utilizationOperations> = {
  async utilization_view(ctx) {
    const silo = await lookup(ctx, 'silo', ctx.actor.siloId)
    return { provisioned: used(silo), capacity: quota(silo) }
  },

  async silo_utilization_list(ctx) {
    authorize(ctx, 'fleet', {})
    const rows = rowsOf(ctx.db, 'silo').selectAll().where('discoverable', '=', 1)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, ofSilo)
  },

  silo_utilization_view: async (ctx) => ofSilo(await lookup(ctx, 'silo', ctx.params.silo)),
}
