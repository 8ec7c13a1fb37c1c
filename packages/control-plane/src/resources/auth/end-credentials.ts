import type { Ids } from '../../kernel/db/database.ts'
import type { Writing } from '../../kernel/work.ts'
import { revokeTokens } from '../access-tokens/tokens.ts'
import { endSessions } from '../sessions/sessions.ts'

/**
 * Ends all sessions and access tokens of a user, or of several, and with them their streams and
 * consoles.
 */
export async function endCredentials(work: Writing, whose: string | Ids): Promise<void> {
  const users = typeof whose === 'string' ? [whose] : whose
  await endSessions(work, { users })
  await revokeTokens(work, users)
}
