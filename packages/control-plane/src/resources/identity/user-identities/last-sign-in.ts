/**
 * The name and the groups of the last sign-in through a provider, which show administrators how the
 * provider writes them.
 */
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { ProvidedUser } from '../auth/provision.ts'
import { type LinkedProvider, providerTables } from './identities.ts'

export interface LastSignIn {
  time: string
  name: string
  groups: string[]
}

export const lastSignInColumn = jsonColumn<LastSignIn>()

export async function noteSignIn(
  db: Db,
  { id, type }: Pick<LinkedProvider, 'id' | 'type'>,
  { nameId: name, groups }: ProvidedUser,
  now: Date,
): Promise<void> {
  const last_sign_in = lastSignInColumn.write({ time: now.toISOString(), name, groups })
  await db
    .updateTable(providerTables[type] as 'saml_identity_provider')
    .set({ last_sign_in })
    .where('id', '=', id)
    .execute()
}
