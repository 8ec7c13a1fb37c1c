import type { tables, Wire } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { versioning } from '../../workspace/setting-versions/keep.ts'

const toWire = ({
  id,
  members_use_silo_images,
}: Pick<Row<'silo'>, 'id' | 'members_use_silo_images'>): Wire.ImagePolicy => ({
  silo_id: id,
  members_use_silo_images: members_use_silo_images === 1,
})

export const imagePolicyHandlers: Handlers<typeof tables.imagePolicyOperations> = {
  image_policy_view: async (ctx) => toWire(await lookup(ctx, 'silo', ctx.actor.siloId)),

  async image_policy_update(ctx) {
    const members_use_silo_images = ctx.body.members_use_silo_images ? 1 : 0
    const silo = await lookup(ctx, 'silo', ctx.actor.siloId)
    return versioning(ctx, 'image_policy', silo.id, async () => {
      await changeRow(ctx.db, 'silo', silo.id, { members_use_silo_images })
      await ctx.emit('silo', 'update', { ...silo, silo_id: silo.id })
      return toWire({ ...silo, members_use_silo_images })
    })
  },
}
