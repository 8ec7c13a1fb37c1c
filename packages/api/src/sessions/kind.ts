import type { Kind } from '../rules/kind.ts'

/** What a browser has after signing in, until it signs out. */
export const console_session = {
  type: 'console-session',
  words: 'session',
  resource: 'sessions',
  access: {
    scope: 'silo',
    read: ['self', 'silo.admin'],
    list: ['self', 'silo.admin'],
    create: ['self'],
    modify: ['self', 'silo.admin'],
  },
  parent: 'silo_user',
  reads: ['current_user_session_list', 'user_session_list'],
} as const satisfies Kind
