import { siloMessages } from '@steading/api/rules'
import { deleteContents } from '../../../kernel/db/contents.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import type { Work } from '../../../kernel/work.ts'
import { endCredentials } from '../../identity/auth/end-credentials.ts'
import { deleteImage } from '../../storage/images/delete.ts'
import { usersOf } from '../../identity/users/of-silo.ts'
import { takeRoles } from '../../identity/policies/assignments.ts'
import type { Ids } from '../../../kernel/db/database.ts'

/**
 * Deletes a silo with everything in it: users, their keys and credentials, groups, images, and
 * whatever else resources keep in a silo. Sessions and tokens of its users end at once.
 * @throws ApiError 400 if it contains a project, is the caller's own, or was deleted at the same
 *   time
 */
export async function deleteSilo(work: Work, silo: Row<'silo'>): Promise<void> {
  const { db, now, emit, actor } = work
  // Its users would be signed out, and perhaps no operator would be left who can sign in.
  if (silo.id === actor.siloId) throw fail.invalidRequest(siloMessages.ownSilo)
  const project = await rowsOf(db, 'project')
    .select('its.id')
    .where('its.silo_id', '=', silo.id)
    .limit(1)
    .executeTakeFirst()
  if (project) throw fail.invalidRequest(siloMessages.containsProject)
  await endCredentials(work, usersOf(db, silo.id), 'user')
  const images = await rowsOf(db, 'silo_image')
    .selectAll()
    .where('its.silo_id', '=', silo.id)
    .execute()
  for (const image of images) await deleteImage(work, image)
  const groups = db.selectFrom('silo_group').select('id').where('silo_id', '=', silo.id)
  await takeRoles(db, { resource_type: 'silo', resource_id: silo.id })
  await takeRoles(db, { identity_id: usersOf(db, silo.id) })
  await takeRoles(db, { identity_id: groups as unknown as Ids })
  await db
    .updateTable('silo_user')
    .set({ password_hash: null })
    .where('silo_id', '=', silo.id)
    .execute()
  await deleteContents(db, 'silo', silo.id, now, ['project'])
  const deleted = await db
    .updateTable('silo')
    .set({ time_deleted: now.toISOString() })
    .where('id', '=', silo.id)
    .where('time_deleted', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!deleted) throw fail.invalidRequest(siloMessages.raced)
  await emit('silo', 'delete', { ...silo, silo_id: silo.id })
}
