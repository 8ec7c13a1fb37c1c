import type { Writing } from '../../kernel/work.ts'
import { revokeTokens } from '../access-tokens/tokens.ts'
import { endSessions } from '../sessions/sessions.ts'

/** Ends all sessions and access tokens of a user, and with them their streams and consoles. */
export async function endCredentials(work: Writing, userId: string): Promise<void> {
  await endSessions(work, { userId })
  await revokeTokens(work, userId)
}
