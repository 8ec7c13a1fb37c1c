import type { tables } from '@steading/api'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { versioning } from '../../workspace/setting-versions/keep.ts'
import { quotaColumns, toWireQuotas } from './quotas.ts'

export const quotaHandlers: Handlers<typeof tables.quotaOperations> = {
  async system_quotas_list(ctx) {
    authorize(ctx, 'fleet', {})
    return listPage(ctx.page, rowsOf(ctx.db, 'silo').selectAll(), { id: 'id' }, toWireQuotas)
  },

  silo_quotas_view: async (ctx) => toWireQuotas(await lookup(ctx, 'silo', ctx.params.silo)),

  async silo_quotas_update(ctx) {
    const silo = await lookup(ctx, 'silo', ctx.params.silo)
    authorize(ctx, 'fleet', {})
    return versioning(ctx, 'silo_quotas', silo.id, async () => {
      const { cpus, memory, storage } = ctx.body
      const columns = quotaColumns('update', {
        cpus: cpus ?? silo.quota_cpus,
        memory: memory ?? silo.quota_memory,
        storage: storage ?? silo.quota_storage,
      })
      await changeRow(ctx.db, 'silo', silo.id, columns)
      await ctx.emit('silo', 'update', { ...silo, silo_id: silo.id })
      return toWireQuotas({ ...silo, ...columns })
    })
  },
}
