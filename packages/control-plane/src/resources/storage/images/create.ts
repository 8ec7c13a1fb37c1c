import type { Row } from '../../../kernel/kinds.ts'
import { requireFreeName } from '../../../kernel/lookup.ts'
import { named } from '../../../kernel/search/name-key.ts'
import type { Writing } from '../../../kernel/work.ts'
import { imageKind } from './image-kind.ts'

/**
 * Refuses a taken name. Names are unique among the images of a silo, and among those of each
 * project.
 */
export const requireFree = (
  { db }: Pick<Writing, 'db'>,
  { silo_id, project_id }: Pick<Row<'image'>, 'silo_id' | 'project_id'>,
  name: string,
): Promise<void> => requireFreeName(db, imageKind({ project_id }), project_id ?? silo_id, name)

/**
 * Makes an image of a snapshot, whose bytes it shares.
 * @throws ApiError 400 for a taken name
 */
export async function createImage(
  writing: Writing,
  about: Pick<Row<'image'>, 'name' | 'description' | 'os' | 'version' | 'silo_id' | 'project_id'>,
  snapshot: Pick<Row<'snapshot'>, 'id' | 'size' | 'block_size'>,
): Promise<Row<'image'>> {
  const { db, now, emit } = writing
  const time = now.toISOString()
  const image: Row<'image'> = {
    ...about,
    ...named(about.name),
    id: crypto.randomUUID(),
    time_created: time,
    time_modified: time,
    time_deleted: null,
    size: snapshot.size,
    block_size: snapshot.block_size,
    snapshot_id: snapshot.id,
  }
  await requireFree(writing, image, about.name)
  await db.insertInto('image').values(image).execute()
  await emit(imageKind(image), 'create', image)
  return image
}
