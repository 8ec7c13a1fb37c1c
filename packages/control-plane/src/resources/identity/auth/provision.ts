import type { Trail } from '../../../kernel/audit/trail.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { createGroup } from '../groups/create.ts'
import { setGroups } from '../groups/members.ts'
import { createUser } from '../users/create.ts'
import { updateUser } from '../users/update.ts'

/** A user as the identity provider describes it. */
export interface ProvidedUser {
  /** The name by which the user is known here. */
  nameId: string
  /** Undefined if the provider gives none. */
  displayName?: string | undefined
  /** Distinct names of the groups. */
  groups: string[]
}

type Silo = Pick<Row<'silo'>, 'id' | 'identity_mode'>

const userOf = ({ db }: Writing, siloId: string, name: string) =>
  rowsOf(db, 'silo_user')
    .selectAll()
    .where('silo_id', '=', siloId)
    .where('external_id', '=', name)
    .where('is_service', '=', 0)
    .executeTakeFirst()

/** The group with a name, created if the silo has none. */
async function groupOf(writing: Writing, siloId: string, name: string): Promise<Row<'silo_group'>> {
  const group = await rowsOf(writing.db, 'silo_group')
    .selectAll()
    .where('silo_id', '=', siloId)
    .where('display_name', '=', name)
    .executeTakeFirst()
  return group ?? createGroup(writing, { silo_id: siloId, display_name: name })
}

/**
 * The user whom an identity provider names. With just-in-time provisioning, users and groups are created when they
 * first appear, and the groups of a user are those of the latest sign-in. With SCIM, the user has
 * to exist, and groups stay as they are.
 * @throws ApiError 401 for a user who may not sign in
 */
export async function provision(
  writing: Writing,
  trail: Trail,
  { id: siloId, identity_mode }: Silo,
  { nameId, displayName, groups }: ProvidedUser,
): Promise<Row<'silo_user'>> {
  const found = await userOf(writing, siloId, nameId)
  if (found) {
    const { id, display_name: name } = found
    trail.note({ kind: 'silo_user', id, name, siloId, projectId: null })
  }
  if (found && found.time_deactivated !== null) throw fail.unauthorized()
  if (identity_mode !== 'saml_jit') {
    if (!found) throw fail.unauthorized()
    return found
  }
  const user =
    found ??
    (await createUser(writing, {
      silo_id: siloId,
      external_id: nameId,
      ...(displayName && { display_name: displayName }),
    }))
  if (found && displayName && found.display_name !== displayName) {
    await updateUser(writing, found, { display_name: displayName })
  }
  const rows = []
  for (const name of groups) rows.push(await groupOf(writing, siloId, name))
  await setGroups(writing, user.id, rows)
  return user
}
