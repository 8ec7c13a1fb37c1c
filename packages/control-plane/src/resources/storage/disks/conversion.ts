/**
 * The conversion of an imported image into the contents of its disk: part of the end of the import,
 * where the engine can do it. A row tells how far it is. It goes with the import, and stays if the
 * conversion fails.
 */
import { imageProblems } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { Selectable } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { NoSpaceError } from '../../../kernel/ports/block-store.ts'
import { UnusableImageError, type Volumes } from '../../../kernel/ports/volumes.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { type Writing, writingIn } from '../../../kernel/work.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import { changeDisk } from './change.ts'
import type { DiskConversionTable } from './table.ts'

type Conversion = Selectable<DiskConversionTable>

export const conversionOf = (db: Db, diskId: string): Promise<Conversion | undefined> =>
  db.selectFrom('disk_conversion').selectAll().where('disk_id', '=', diskId).executeTakeFirst()

/** A conversion in answers; null if the bytes of the import stay as they are. */
export const toWireConversion = (row: Conversion | undefined): Wire.ImageConversion | null =>
  row && (row.format ?? row.problem) !== null
    ? { format: row.format, percent: row.percent, problem: row.problem }
    : null

/** Writes how far the conversion of a disk is. */
async function note(
  db: Db,
  diskId: string,
  values: Partial<Omit<Conversion, 'disk_id'>>,
): Promise<void> {
  await db
    .insertInto('disk_conversion')
    .values({ disk_id: diskId, format: null, percent: 0, done: 0, problem: null, ...values })
    .onConflict((conflict) =>
      conflict.column('disk_id').doUpdateSet({ disk_id: diskId, ...values }),
    )
    .execute()
}

/** The sentence for users about a conversion that cannot succeed. @throws other errors */
function problemOf(error: unknown): string {
  if (error instanceof UnusableImageError) return error.message
  if (error instanceof NoSpaceError) return imageProblems.noSpace
  throw error
}

/** Converts the bytes of an import, or sees how far that is. */
export async function convert(
  db: Db,
  volumes: Volumes,
  diskId: string,
  fence: number,
): Promise<'running' | 'done' | 'failed'> {
  if (!volumes.images) return 'done'
  const row = await conversionOf(db, diskId)
  if (row?.done === 1) return 'done'
  const { owner } = await db
    .selectFrom('disk')
    .innerJoin('project', 'project.id', 'disk.project_id')
    .select('project.silo_id as owner')
    .where('disk.id', '=', diskId)
    .executeTakeFirstOrThrow()
  try {
    const { done, format, part } = await volumes.images.convert(diskId, { owner, fence })
    const percent = part === undefined ? {} : { percent: Math.floor(part * 100) }
    await note(db, diskId, { ...(format && { format }), ...percent, done: done ? 1 : 0 })
    return done ? 'done' : 'running'
  } catch (error) {
    await note(db, diskId, { problem: problemOf(error) })
    return 'failed'
  }
}

/** Whether the bytes of a disk may still be those of an image. */
export async function isUnconverted(db: Db, volumes: Volumes, diskId: string): Promise<boolean> {
  if (!volumes.images) return false
  const { state } = await readRow(db, 'disk', diskId, 'state')
  return state === 'finalizing' && (await conversionOf(db, diskId))?.done !== 1
}

/** Ends the snapshots that were to be taken of a disk whose conversion failed. */
export async function failSnapshots(db: Db, diskId: string, now: Date): Promise<void> {
  const failed = await db
    .updateTable('snapshot')
    .set({ state: 'faulted' })
    .where('disk_id', '=', diskId)
    .where('state', '=', 'creating')
    .returningAll()
    .execute()
  for (const each of failed) await writingIn(db, now).emit('snapshot', 'update', each)
}

/**
 * Ends the conversion of a disk that is being deleted, and fails the snapshots that wait for it. The
 * engine ends its work when the volume is deleted.
 * @returns the disk, in a state that can be deleted; undefined if it changed meanwhile
 */
export async function cancelConversion(
  writing: Pick<Writing, 'db' | 'emit' | 'now'>,
  disk: Row<'disk'>,
): Promise<Row<'disk'> | undefined> {
  const { db, now } = writing
  const changed = await changeDisk(writing, disk, { state: 'faulted' })
  if (changed) await failSnapshots(db, disk.id, now)
  return changed
}

/** Whether the image in a disk is being converted, or waits for the conversion. */
export const isConverting = async (db: Db, { id, state }: Row<'disk'>): Promise<boolean> => {
  if (state !== 'finalizing') return false
  const conversion = await conversionOf(db, id)
  return conversion !== undefined && conversion.done === 0
}
