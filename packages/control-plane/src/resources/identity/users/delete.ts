import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { endCredentials } from '../auth/end-credentials.ts'
import { leaveGroups } from '../groups/members.ts'
import { deleteKeysOf } from '../ssh-keys/delete.ts'
import { forgetLinks } from '../user-links/links.ts'
import { unlinkUser } from '../user-identities/identities.ts'
import { userChanged } from './create.ts'

/**
 * Deletes a user, with all sessions, access tokens, memberships and SSH keys. Streams and consoles
 * close, and running jobs of the user stop, when they next look up their user.
 *
 * Role assignments stay, without effect (control plane 3.3); for identity providers, which remove
 * them, the caller also calls `removeAssignments`.
 */
export async function deleteUser(writing: Writing, user: Row<'silo_user'>): Promise<void> {
  const { db, now } = writing
  await endCredentials(writing, user.id, 'user')
  await leaveGroups(writing, user.id)
  await unlinkUser(db, user.id)
  await forgetLinks(db, user.id)
  await deleteKeysOf(writing, user)
  await changeRow(db, 'silo_user', user.id, {
    time_deleted: now.toISOString(),
    password_hash: null,
  })
  await userChanged(writing, user, 'delete')
}
