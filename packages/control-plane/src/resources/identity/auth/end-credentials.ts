import type { SessionEndReason } from '@steading/api/rules'
import type { Ids } from '../../../kernel/db/database.ts'
import type { Writing } from '../../../kernel/work.ts'
import { revokeTokens } from '../access-tokens/tokens.ts'
import { endSessions } from '../sessions/sessions.ts'

/**
 * Ends all sessions and access tokens of one or several users, and with them their streams and
 * consoles.
 */
export async function endCredentials(
  work: Writing,
  whose: string | Ids,
  because: SessionEndReason,
): Promise<void> {
  const users = typeof whose === 'string' ? [whose] : whose
  await endSessions(work, { users }, because)
  await revokeTokens(work, users)
}
