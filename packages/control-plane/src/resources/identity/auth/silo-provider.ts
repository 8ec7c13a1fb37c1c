import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'

/** The kinds of identity providers through which users sign in. */
type ProviderKind = 'saml_identity_provider' | 'oidc_identity_provider'

/**
 * The identity provider that the path of a sign-in names, and its silo.
 * @throws ApiError 404
 */
export async function siloProvider<K extends ProviderKind>(
  db: Db,
  kind: K,
  { silo_name, provider_name }: { silo_name: string; provider_name: string },
): Promise<{ silo: Row<'silo'>; provider: Row<K> }> {
  const silo = await rowsOf(db, 'silo').selectAll().where('name', '=', silo_name).executeTakeFirst()
  if (!silo) throw fail.notFoundByName('silo', silo_name)
  const provider = await rowsOf(db, kind as ProviderKind)
    .selectAll()
    .where('silo_id', '=', silo.id)
    .where('name', '=', provider_name)
    .executeTakeFirst()
  if (!provider) throw fail.notFoundByName('identity-provider', provider_name)
  return { silo, provider: provider as Row<K> }
}
