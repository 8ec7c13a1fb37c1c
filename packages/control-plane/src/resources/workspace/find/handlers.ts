import type { tables } from '@steading/api'
import { FIND_MAX } from '@steading/api/rules'
import type { Handlers } from '../../../kernel/context.ts'
import { findResources } from './find.ts'

export const findHandlers: Handlers<typeof tables.findOperations> = {
  async find(ctx) {
    const { text, limit } = ctx.query
    return { items: await findResources(ctx, text, Math.min(limit ?? FIND_MAX, FIND_MAX)) }
  },
}
