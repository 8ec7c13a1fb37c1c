import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'

/** Deletes a provider, and its key. */
export async function deleteSamlProvider(
  { db, now, emit }: Writing,
  provider: Row<'saml_identity_provider'>,
): Promise<void> {
  await db
    .updateTable('saml_identity_provider')
    .set({ time_deleted: now.toISOString(), private_key: null })
    .where('id', '=', provider.id)
    .execute()
  await emit('saml_identity_provider', 'delete', provider)
}
