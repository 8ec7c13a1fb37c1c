import type { tables } from '@steading/api'
import { FLEET_ID } from '@steading/api/rules'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Handlers } from '../../kernel/context.ts'
import { rowsOf } from '../../kernel/kinds.ts'
import { searchList } from '../../kernel/list.ts'
import { type Looker, lookup } from '../../kernel/lookup.ts'
import { listPage } from '../../kernel/paging.ts'
import { sledInstances, viewSledInstance } from './instances.ts'
import { viewSled, viewSledDetails } from './view.ts'

const lookupSled = (ctx: Looker<'sled'> & { params: { sled_id: string } }) =>
  lookup(ctx, 'sled', ctx.params.sled_id)

export const sledHandlers: Handlers<typeof tables.sledOperations> = {
  async sled_list(ctx) {
    authorize(ctx, 'sled', {})
    return listPage(ctx.page, rowsOf(ctx.db, 'sled').selectAll(), { id: 'id' }, viewSled)
  },

  async sled_search(ctx) {
    authorize(ctx, 'sled', {})
    return searchList(ctx, 'sled', FLEET_ID)
  },

  async sled_view(ctx) {
    return viewSled(await lookupSled(ctx))
  },

  async sled_details_view(ctx) {
    const [details] = await viewSledDetails(ctx.db, [await lookupSled(ctx)])
    return details!
  },

  async sled_instance_list(ctx) {
    const sled = await lookupSled(ctx)
    const rows = sledInstances(ctx.db, sled.id)
    return listPage(ctx.page, rows, { id: 'instance.id' }, viewSledInstance)
  },
}
