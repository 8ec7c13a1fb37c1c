import type { tables } from '@steading/api'
import { fencingMessages } from '@steading/api/rules'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { changeFencing, fencingOf, removeFencing, updateFencing } from './change.ts'
import { toWireFencing } from './wire.ts'

export const hostFencingHandlers: Handlers<typeof tables.hostFencingOperations> = {
  async host_fencing_view(ctx) {
    const { id } = await lookup(ctx, 'host', ctx.params.host_id)
    return toWireFencing(await fencingOf(ctx.db, id))
  },

  async host_fencing_update(ctx) {
    const host = await lookup(ctx, 'host', ctx.params.host_id)
    return toWireFencing(await updateFencing(ctx, host, ctx.body))
  },

  async host_fencing_remove(ctx) {
    await removeFencing(ctx, await lookup(ctx, 'host', ctx.params.host_id))
  },

  async host_fencing_check(ctx) {
    const host = await lookup(ctx, 'host', ctx.params.host_id)
    const { method } = await fencingOf(ctx.db, host.id)
    if (method === 'none') throw fail.conflict(fencingMessages.noMethod)
    return toWireFencing(await changeFencing(ctx, host, { check_due: 1 }))
  },
}
