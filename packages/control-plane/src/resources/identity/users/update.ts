import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { endCredentials } from '../auth/end-credentials.ts'
import { leaveGroups } from '../groups/members.ts'
import { renameIdentities } from '../user-identities/identities.ts'
import { endPasswordLink } from '../user-links/links.ts'
import { userChanged } from './create.ts'

/** The changeable columns of a user. */
export interface UserChanges extends Partial<
  Pick<
    Row<'silo_user'>,
    | 'external_id'
    | 'display_name'
    | 'user_name_key'
    | 'provider_key'
    | 'password_hash'
    | 'password_generated'
    | 'password_weak'
  >
> {
  /**
   * Without it the user cannot sign in, and loses all sessions, access tokens and memberships; the
   * jobs that the user has started stop.
   */
  active?: boolean
}

/** @throws ApiError 400 if another user of the silo has the new name */
export async function updateUser(
  writing: Writing,
  user: Row<'silo_user'>,
  { active, ...values }: UserChanges,
): Promise<Row<'silo_user'>> {
  const time = writing.now.toISOString()
  const changed = { ...user, ...values, time_modified: time }
  if (active !== undefined) {
    changed.time_deactivated = active ? null : (user.time_deactivated ?? time)
  }
  const { id, ...row } = changed
  if (changed.external_id !== user.external_id) {
    await renameIdentities(writing.db, id, user.external_id, changed.external_id)
  }
  await changeRow(writing.db, 'silo_user', id, row)
  // Somebody may have asked for a link with the old password, or for a user who is gone.
  if ('password_hash' in values || active === false) await endPasswordLink(writing.db, id)
  if (active === false) {
    await endCredentials(writing, id, 'user')
    await leaveGroups(writing, id)
  }
  await userChanged(writing, changed, 'update')
  return changed
}
