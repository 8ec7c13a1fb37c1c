import type { Operation } from '../../operation.ts'
import { PUBLIC_BODY_MAX } from '../../rules/limits.ts'
import { Name, uuid } from '../../schema.ts'
import {
  OwnPassword,
  OwnPasswordUpdate,
  SignInPage,
  UsernamePasswordCredentials,
} from './schemas.ts'

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
    // Verifying a password takes too long for a transaction.
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
  sign_in_page_view: {
    method: 'GET',
    path: '/x/v1/login/{silo_name}',
    tags: ['extensions'],
    summary: 'Show the sign-in methods of a silo',
    permission: 'public',
    params: { silo_name: Name },
    success: { status: 200, schema: SignInPage },
  },
  current_user_password_view: {
    method: 'GET',
    path: '/x/v1/me/password',
    tags: ['extensions'],
    summary: 'Show whether the signed-in user has a password of their own',
    permission: 'session',
    success: { status: 200, schema: OwnPassword },
  },
  current_user_password_update: {
    method: 'PUT',
    path: '/x/v1/me/password',
    tags: ['extensions'],
    summary: 'Change the password of the signed-in user',
    permission: 'session',
    body: OwnPasswordUpdate,
    transaction: 'own',
    audited: { kind: 'silo_user' },
    success: { status: 204 },
    changes: ['silo_user', 'console_session'],
  },
} as const satisfies Record<string, Operation>
