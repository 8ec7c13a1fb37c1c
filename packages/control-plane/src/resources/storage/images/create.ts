import type { Row } from '../../../kernel/kinds.ts'
import { requireFreeName } from '../../../kernel/lookup.ts'
import { insertNamed } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import { containerOf } from '../../tenancy/projects/placed.ts'
import { imageKind } from './lookup.ts'

/**
 * Refuses a taken name. Names are unique among the images of a silo, and among those of each
 * project.
 */
export const requireFree = (
  { db }: Pick<Writing, 'db'>,
  { silo_id, project_id }: Pick<Row<'image'>, 'silo_id' | 'project_id'>,
  name: string,
): Promise<void> =>
  requireFreeName(db, imageKind({ project_id }), containerOf({ silo_id, project_id }), name)

/**
 * Makes an image of a snapshot, whose bytes it shares.
 * @throws ApiError 400 for a taken name
 */
export async function createImage(
  writing: Writing,
  about: Pick<Row<'image'>, 'name' | 'description' | 'os' | 'version' | 'silo_id' | 'project_id'>,
  snapshot: Pick<Row<'snapshot'>, 'id' | 'size' | 'block_size'>,
): Promise<Row<'image'>> {
  const { name, description, ...columns } = about
  await requireFree(writing, about, name)
  return insertNamed(
    writing,
    imageKind(about),
    { name, description },
    {
      ...columns,
      size: snapshot.size,
      block_size: snapshot.block_size,
      snapshot_id: snapshot.id,
    },
  )
}
