import type { tables } from '@steading/api'
import { FLEET_ID, priceListProblem } from '@steading/api/rules'
import { may } from '../../../kernel/authz/actor.ts'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { versioning } from '../../workspace/setting-versions/keep.ts'
import { pricesOf, readPriceList, writePriceList } from './prices.ts'

export const priceListHandlers: Handlers<typeof tables.priceListOperations> = {
  async price_list_view(ctx) {
    authorize(ctx, 'fleet', {})
    return readPriceList(ctx.db)
  },

  async current_prices_view({ db, actor, now }) {
    const list = await readPriceList(db)
    const seesCosts = list.shown_to_silos || may(actor, 'read', 'fleet', {})
    const found = seesCosts ? pricesOf(list) : undefined
    const prices = found?.validAt(now.getTime())
    return { currency: (prices && found?.currency) ?? null, prices: prices ?? {} }
  },

  async price_list_update(ctx) {
    authorize(ctx, 'fleet', {})
    const problem = priceListProblem(ctx.body)
    if (problem) throw fail.invalidRequest(problem)
    return versioning(ctx, 'price_list', FLEET_ID, async () => {
      const list = {
        ...ctx.body,
        versions: ctx.body.versions.toSorted((a, b) => (a.valid_from < b.valid_from ? 1 : -1)),
        time_modified: ctx.now.toISOString(),
      }
      await writePriceList(ctx.db, list)
      await ctx.emit('fleet', 'update', { id: FLEET_ID, name: 'fleet' })
      return list
    })
  },
}
