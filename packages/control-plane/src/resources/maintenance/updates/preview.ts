import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import { ApiError } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { chooseSled } from '../../compute/instances/placement.ts'
import { artifactsOf, outdated, partsOf, seenIn } from './rollout.ts'
import { updateRow } from './status.ts'

/** Most instances that are listed as unable to migrate; the others are only counted. */
const UNMOVABLE_SHOWN = 20
/** Most instances whose placement is simulated. */
const TRIED_MAX = 200

/** The effects of setting a release as the target. */
export async function previewUpdate(
  db: Db,
  { id }: Row<'update_repository'>,
): Promise<Wire.UpdatePreview> {
  const artifacts = await artifactsOf(db, id)
  const parts = (await partsOf(db, seenIn(await updateRow(db)))).map((part) => ({
    ...part,
    count: outdated(artifacts, part).length,
  }))
  const concerned = parts.filter(({ count }) => count > 0)
  const sleds = concerned.filter(({ kind }) => kind === 'sled')
  const names = new Map(sleds.map((sled) => [sled.id, sled.name]))
  const instances = await db
    .selectFrom('instance')
    .selectAll()
    .where('sled_id', 'in', ['', ...names.keys()])
    .orderBy('id')
    .execute()
  const unmovable: Wire.UpdatePreview['unmovable'] = []
  for (const instance of instances.slice(0, TRIED_MAX)) {
    if (unmovable.length >= UNMOVABLE_SHOWN) break
    const sledId = instance.sled_id!
    try {
      await chooseSled(db, instance, { without: sledId, moved: new Map() })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const sled_serial = names.get(sledId)!
      unmovable.push({
        id: instance.id,
        name: instance.name,
        sled_serial,
        problem: error.message,
      })
    }
  }
  return {
    sleds: sleds.length,
    switches: concerned.length - sleds.length,
    components: concerned.reduce((sum, { count }) => sum + count, 0),
    instances: instances.length,
    unmovable,
  }
}
