import type { Db } from '../../../kernel/db/database.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { chooseSled, type PlacementAssumptions } from '../../compute/instances/placement.ts'
import { sledInstances } from './instances.ts'

type Place = Awaited<ReturnType<ReturnType<typeof sledInstances>['execute']>>[number]

/** An instance that leaves a sled, and its next one. */
export interface Leaving {
  row: Row<'instance'>
  place: Place
  /** Serial number of the sled that takes it; null if none does. */
  serial: string | null
  /** Why no sled takes it. */
  problem: string | null
}

interface Options {
  /** Most instances that are tried. */
  limit?: number
  /** Whether an instance takes room on its next sled; by default each does. */
  takesRoom?: (row: Row<'instance'>) => boolean
}

/** The sleds that the instances of a sled would get if they left it now, one after the other. */
export async function simulateLeaving(
  db: Db,
  sled: Row<'sled'>,
  { limit = Infinity, takesRoom = () => true }: Options = {},
): Promise<Leaving[]> {
  let rows = db.selectFrom('instance').selectAll().where('sled_id', '=', sled.id).orderBy('id')
  if (limit !== Infinity) rows = rows.limit(limit)
  const places = new Map(
    (await sledInstances(db, sled.id).execute()).map((place) => [place.id, place]),
  )
  const serials = new Map(
    (await db.selectFrom('sled').select(['id', 'name']).execute()).map(({ id, name }) => [
      id,
      name,
    ]),
  )
  const moved: Map<string, { sledId: string; ncpus: number; memory: number }> = new Map()
  const assumptions: PlacementAssumptions = { without: sled.id, moved }
  const leaving: Leaving[] = []
  for (const row of await rows.execute()) {
    await yieldToEventLoop()
    let sledId: string | undefined
    let problem: string | null = null
    try {
      sledId = await chooseSled(db, row, assumptions)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      problem = error.message
    }
    const { id, ncpus, memory } = row
    if (sledId !== undefined && takesRoom(row)) moved.set(id, { sledId, ncpus, memory })
    const serial = sledId === undefined ? null : serials.get(sledId)!
    leaving.push({ row, place: places.get(id)!, serial, problem })
  }
  return leaving
}
