import { kinds } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'

/**
 * A silo whose users have their names and passwords here.
 * @throws ApiError 404 for a silo with identity providers
 */
export async function lookupLocalSilo(
  context: LookupContext<'silo'>,
  selector: string,
): Promise<Row<'silo'>> {
  const silo = await lookup(context, 'silo', selector)
  if (silo.identity_mode !== 'local_only') throw fail.notFoundByName('identity-provider', 'local')
  return silo
}

/** A user of such a silo, who is a person. */
export async function lookupLocalUser(
  context: LookupContext<'silo' | 'silo_user'>,
  siloSelector: string,
  userId: string,
): Promise<Row<'silo_user'>> {
  const silo = await lookupLocalSilo(context, siloSelector)
  const user = await lookup(context, 'silo_user', userId, { silo: silo.id })
  // Service accounts have no password, and are deleted as such.
  if (user.is_service) throw fail.notFoundById(kinds.silo_user.type, user.id)
  return user
}
