import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { endSessions } from '../sessions/sessions.ts'

/** Deletes a provider with its secret, and ends the sessions that it opened. */
export async function deleteOidcProvider(
  writing: Writing,
  provider: Row<'oidc_identity_provider'>,
): Promise<void> {
  const { db, now, emit } = writing
  await db
    .updateTable('oidc_identity_provider')
    .set({ time_deleted: now.toISOString(), client_secret: null })
    .where('id', '=', provider.id)
    .execute()
  await emit('oidc_identity_provider', 'delete', provider)
  await endSessions(writing, { provider: provider.id }, 'administrator')
}
