/** The storage quota of restored resources; while they are deleted, they count in none. */
import { restoreMessages } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import type { Work } from '../../../kernel/work.ts'
import { takeStorage } from '../../tenancy/silos/storage.ts'
import { CannotRestore } from './restoration.ts'
import type { DeletedRow } from './restore.ts'

/** @throws CannotRestore if the quota of the silo is used otherwise */
export async function chargeRestored(
  { db, now, actor }: Pick<Work, 'db' | 'now' | 'actor'>,
  { project_id, size }: { project_id: string; size: number },
): Promise<void> {
  const project = { id: project_id, silo_id: actor.siloId }
  if (!(await takeStorage({ db, now }, project, size))) {
    throw new CannotRestore(restoreMessages.noQuota)
  }
}

/** The reason that the quota does not permit the return of a deleted resource now. */
export async function quotaObstacle(
  db: Db,
  { silo_id, size }: Pick<DeletedRow, 'silo_id' | 'size'>,
): Promise<string | undefined> {
  if (Number(size) === 0) return undefined
  const silo = await readRow(db, 'silo', silo_id, 'used_storage', 'quota_storage')
  const isEnough = Number(silo.used_storage) + Number(size) <= Number(silo.quota_storage)
  return isEnough ? undefined : restoreMessages.noQuota
}
