import type { Kind } from '../../kinds/kind.ts'
import { credentials } from '../../rules/roles.ts'

/** A browser's session, from signing in to signing out. */
export const console_session = {
  words: 'session',
  resource: 'sessions',
  access: credentials,
  parent: 'silo_user',
  reads: ['current_user_session_list', 'user_session_list'],
} as const satisfies Kind
