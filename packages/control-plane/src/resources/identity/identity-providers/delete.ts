import type { Row } from '../../../kernel/kinds.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'

/** Deletes a provider, and its key. */
export async function deleteSamlProvider(
  writing: Writing,
  provider: Row<'saml_identity_provider'>,
): Promise<void> {
  await deleteRow(writing, 'saml_identity_provider', provider, { private_key: null })
}
