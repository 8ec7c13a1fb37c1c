import type { Row } from '../../../kernel/kinds.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import { endSessions } from '../sessions/sessions.ts'

/** Deletes a provider with its secret, and ends the sessions that it opened. */
export async function deleteOidcProvider(
  writing: Writing,
  provider: Row<'oidc_identity_provider'>,
): Promise<void> {
  await deleteRow(writing, 'oidc_identity_provider', provider, { client_secret: null })
  await endSessions(writing, { provider: provider.id }, 'administrator')
}
