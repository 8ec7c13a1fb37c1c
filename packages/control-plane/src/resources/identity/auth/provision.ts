import type { AuditContext } from '../../../kernel/audit/audit-context.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { createGroup } from '../groups/create.ts'
import { setGroups } from '../groups/members.ts'
import { type LinkedProvider, linkUser, userNamed } from '../user-identities/identities.ts'
import { createUser } from '../users/create.ts'
import { updateUser } from '../users/update.ts'

/** A user as the identity provider describes them. */
export interface ProvidedUser {
  /** The name by which the user is known here. */
  nameId: string
  /** Undefined if the provider gives none. */
  displayName?: string | undefined
  /** Distinct names of the groups. */
  groups: string[]
  /** Whether names that differ only in upper and lower case are the same, as in mail addresses. */
  anyCase: boolean
}

type Silo = Pick<Row<'silo'>, 'id' | 'identity_mode'>

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
 * The user whom an identity provider names, among the users of that provider. With just-in-time
 * provisioning, users and groups are created when they first appear, and the groups of a user are
 * those of the latest sign-in. With SCIM, the user has to exist, and groups stay as they are.
 * @throws ApiError 401 for a user who may not sign in, 400 if it is not certain whom the name means
 */
export async function provision(
  writing: Writing,
  audit: AuditContext,
  { id: siloId, identity_mode }: Silo,
  provider: Pick<LinkedProvider, 'id' | 'silo_id'>,
  { nameId, displayName, groups, anyCase }: ProvidedUser,
): Promise<Row<'silo_user'>> {
  const found = await userNamed(
    writing.db,
    provider,
    nameId,
    // User names of SCIM are not case-sensitive (RFC 7643, section 4.1.1).
    anyCase || identity_mode === 'saml_scim',
  )
  if (found) {
    const { id, display_name: name } = found
    audit.note({ kind: 'silo_user', id, name, siloId, projectId: null })
  }
  if (found && found.time_deactivated !== null) throw fail.unauthorized()
  if (identity_mode !== 'saml_jit') {
    if (!found) throw fail.unauthorized()
    return found
  }
  let user = found
  if (!user) {
    user = await createUser(writing, {
      silo_id: siloId,
      external_id: nameId,
      is_provided: 1,
      ...(displayName && { display_name: displayName }),
    })
    await linkUser(writing, provider, { userId: user.id, name: nameId })
  }
  if (found && displayName && found.display_name !== displayName) {
    await updateUser(writing, found, { display_name: displayName })
  }
  const rows = []
  for (const name of groups) rows.push(await groupOf(writing, siloId, name))
  await setGroups(writing, user.id, rows)
  return user
}
