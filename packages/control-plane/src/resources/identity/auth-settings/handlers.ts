import type { tables, Wire } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { versioning } from '../../workspace/setting-versions/keep.ts'

const toWire = (silo: Row<'silo'>): Wire.SiloAuthSettings => ({
  silo_id: silo.id,
  device_token_max_ttl_seconds: silo.device_token_max_ttl_seconds,
})

export const authSettingsHandlers: Handlers<typeof tables.authSettingsOperations> = {
  auth_settings_view: async (ctx) => toWire(await lookup(ctx, 'silo', ctx.actor.siloId)),

  async auth_settings_update(ctx) {
    const { device_token_max_ttl_seconds } = ctx.body
    const silo = await lookup(ctx, 'silo', ctx.actor.siloId)
    return versioning(ctx, 'auth_settings', silo.id, async () => {
      await changeRow(ctx.db, 'silo', silo.id, { device_token_max_ttl_seconds })
      await ctx.emit('silo', 'update', { ...silo, silo_id: silo.id })
      return toWire({ ...silo, device_token_max_ttl_seconds })
    })
  },
}
