import type { tables } from '@steading/api'
import { type BootSourceType, diskCan, isCd } from '@steading/api/rules'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { type Row, findLive } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { lookupImage, lookupSource } from '../images/lookup.ts'

type BootContext = Context<'boot_source_view'>

/** The volume from which a machine would boot, if there is one, and if it is known yet. */
type Bytes = { id: string; cd: boolean } | 'none' | 'unknown'

const bytesOfSnapshot = ({
  id,
  state,
  has_volume,
  block_size,
}: Pick<Row<'snapshot'>, 'id' | 'state' | 'has_volume' | 'block_size'>): Bytes => {
  if (state !== 'ready') return 'unknown'
  return has_volume === 1 ? { id, cd: isCd(true, block_size) } : 'none'
}

const bytesOf: Record<BootSourceType, (ctx: BootContext, id: string) => Promise<Bytes>> = {
  async image(ctx, id) {
    const { project } = ctx.query
    const { snapshot_id, block_size } = project
      ? await lookupSource(ctx, await lookup(ctx, 'project', project), id)
      : await lookupImage(ctx, id)
    if (snapshot_id === null) return 'none'
    const snapshot = await findLive(
      ctx.db,
      'snapshot',
      snapshot_id,
      'id',
      'state',
      'has_volume',
      'block_size',
    )
    // An image keeps the bytes of a snapshot that was deleted.
    return snapshot ? bytesOfSnapshot(snapshot) : { id: snapshot_id, cd: isCd(true, block_size) }
  },
  snapshot: async (ctx, id) => bytesOfSnapshot(await lookup(ctx, 'snapshot', id)),
  async disk(ctx, id) {
    const { state, has_volume, block_size, read_only } = await lookup(ctx, 'disk', id)
    if (!diskCan('attach', state) || has_volume === 0) return 'unknown'
    return { id, cd: isCd(read_only === 1, block_size) }
  },
}

export const bootSourceHandlers: Handlers<typeof tables.bootSourceOperations> = {
  async boot_source_view(ctx) {
    const { volumes } = ctx.services
    const bytes = await bytesOf[ctx.query.type](ctx, ctx.query.id)
    if (!volumes.boots || bytes === 'unknown') return { boots: null }
    if (bytes === 'none') return { boots: false }
    try {
      return { boots: await volumes.boots(bytes.id, bytes) }
    } catch (error) {
      // A machine may have opened it meanwhile, or another server uses it.
      if (error instanceof ApiError) return { boots: null }
      throw error
    }
  },
}
