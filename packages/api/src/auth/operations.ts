import type { Operation } from '../operation.ts'
import { PUBLIC_BODY_MAX } from '../rules/limits.ts'
import { Name, uuid } from '../schema.ts'
import { UsernamePasswordCredentials } from './schemas.ts'

export const authOperations = {
  login_local: {
    method: 'POST',
    path: '/v1/login/{silo_name}/local',
    tags: ['login'],
    summary: 'Sign in to a silo with a local username and password',
    permission: 'public',
    params: { silo_name: Name },
    body: UsernamePasswordCredentials,
    maxBody: PUBLIC_BODY_MAX,
    // Checking a password takes too long for a transaction.
    transaction: 'own',
    evenIfFull: true,
    audited: { kind: 'silo_user', name: 'username' },
    success: { status: 204 },
  },
  logout: {
    method: 'POST',
    path: '/v1/logout',
    tags: ['console-auth'],
    summary: 'End the session of the cookie',
    permission: 'public',
    transaction: 'own',
    evenIfFull: true,
    audited: false,
    success: { status: 204 },
  },
  user_logout: {
    method: 'POST',
    path: '/v1/users/{user_id}/logout',
    tags: ['silos'],
    summary: 'End all sessions and access tokens of a user',
    permission: { silo_user: 'read', access_token: 'modify', console_session: 'modify' },
    params: { user_id: uuid },
    evenIfFull: true,
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
