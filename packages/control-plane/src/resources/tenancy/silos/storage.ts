/**
 * The storage quota of a silo: charged and released in the transaction that creates or deletes the
 * resource.
 */
import { quotaMessages } from '@steading/api/rules'
import { sql } from 'kysely'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Work } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { recordChange } from '../../observability/metrics/record.ts'

type Charging = Pick<Work, 'db' | 'atEnd' | 'now'>
/** The project of the resource. */
type Project = Pick<Row<'project'>, 'id' | 'silo_id'>

/**
 * Charges the quota of a silo at once, in a transaction that runs alone.
 * @returns whether there was enough left
 */
export async function takeStorage(
  { db, now }: Pick<Charging, 'db' | 'now'>,
  project: Project,
  bytes: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('silo')
    .set({ used_storage: sql`used_storage + ${bytes}` })
    .where('id', '=', project.silo_id)
    .where(sql<boolean>`used_storage + ${bytes} <= quota_storage`)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await recordChange(db, project, { storage: bytes }, now)
  return true
}

/**
 * Charges the quota of a silo. If it is exhausted, throws the error 507, which ends the
 * transaction.
 */
export const chargeStorage = (charging: Charging, project: Project, bytes: number): void =>
  charging.atEnd(async () => {
    if (await takeStorage(charging, project, bytes)) return
    throw fail.insufficientCapacity(quotaMessages.storage)
  })

/** Releases the storage that {@link chargeStorage} charged. */
export const releaseStorage = (
  { db, atEnd, now }: Charging,
  project: Project,
  bytes: number,
): void =>
  atEnd(async () => {
    await changeRow(db, 'silo', project.silo_id, { used_storage: sql`used_storage - ${bytes}` })
    await recordChange(db, project, { storage: -bytes }, now)
  })
