import type { tables, Wire } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { each } from '../../../kernel/search/search.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { versioning } from '../../workspace/setting-versions/keep.ts'
import { quotaObstacle } from './charge.ts'
import { deletePermanently } from './release.ts'
import { keptOf } from './policy.ts'
import {
  containerObstacle,
  isNameTaken,
  nameOf,
  nounOf,
  partsOf,
  restoreResource,
} from './restore.ts'
import { toWireDeleted } from './wire.ts'

async function toWirePolicy(
  db: Db,
  { id, restorable_hours }: Pick<Row<'silo'>, 'id' | 'restorable_hours'>,
): Promise<Wire.DeletionPolicy> {
  const { count, size } = await keptOf(db, id)
  return { silo_id: id, restorable_hours, kept_resources: count, kept_storage: size }
}

const deleted = usualHandlers('deleted_resource', each(toWireDeleted))

export const deletedResourceHandlers: Handlers<typeof tables.deletedResourceOperations> = {
  deleted_resource_search: deleted.search,
  deleted_resource_delete: deleted.delete(deletePermanently),

  async deleted_resource_view(ctx) {
    const { db } = ctx
    const row = await deleted.find(ctx)
    const [root, ...parts] = await partsOf(db, row)
    return {
      ...toWireDeleted(row),
      parts: parts.map((part) => ({
        noun: nounOf(part),
        name: nameOf(part),
        fate: part.changed === null ? ('restored' as const) : ('attached' as const),
      })),
      name_taken: await isNameTaken(db, row.kind, root!.row, row.name),
      obstacle:
        (await containerObstacle(db, row.kind, root!.row)) ??
        (await quotaObstacle(db, row)) ??
        null,
    }
  },

  async deleted_resource_restore(ctx) {
    const row = await deleted.find(ctx)
    const restore = () => restoreResource(ctx, row, ctx.body.name)
    const [root] = await partsOf(ctx.db, row)
    const { resource, dependents, notes } = await (row.kind === 'router_route'
      ? versioning(ctx, 'routes', root!.row.vpc_router_id as string, restore)
      : restore())
    return { ...resource, with: dependents, notes }
  },

  deletion_policy_view: async (ctx) =>
    toWirePolicy(ctx.db, await lookup(ctx, 'silo', ctx.actor.siloId)),

  async deletion_policy_update(ctx) {
    const { restorable_hours } = ctx.body
    const silo = await lookup(ctx, 'silo', ctx.actor.siloId)
    return versioning(ctx, 'deletion_policy', silo.id, async () => {
      await changeRow(ctx.db, 'silo', silo.id, { restorable_hours })
      await ctx.emit('silo', 'update', { ...silo, silo_id: silo.id })
      return toWirePolicy(ctx.db, { ...silo, restorable_hours })
    })
  },
}
