import { usual } from '../../kinds/usual.ts'
import { PUBLIC_BODY_MAX } from '../../rules/limits.ts'
import { Name, NameOrId } from '../../schema.ts'
import {
  ForgottenPassword,
  OwnMailAddress,
  OwnMailAddressUpdate,
  UserLink,
  UserLinkCreate,
  UserLinkToken,
  UserLinkUse,
  UserLinkView,
  UserMailAddressUpdate,
} from './schemas.ts'

const administrators = {
  permission: { silo: 'read', silo_user: 'modify' },
  query: { silo: NameOrId.optional() },
} as const
const open = { permission: 'public', maxBody: PUBLIC_BODY_MAX } as const

/** Tokens are in bodies, so that no log of addresses has them. */
export const userLinkOperations = usual('silo_user', {
  item: UserLink,
  path: '/x/v1/users/{user_id}',
})({
  user_link_create: {
    route: 'POST link',
    summary: 'Make a link with which a user sets a password, and send it by mail or show it',
    ...administrators,
    body: UserLinkCreate,
    success: { status: 201, schema: UserLink },
  },
  user_mail_address_update: {
    route: 'PUT mail-address',
    summary: 'Set or remove the mail address of a user, who is asked to confirm it',
    ...administrators,
    body: UserMailAddressUpdate,
    success: { status: 204 },
  },
  current_user_mail_address_view: {
    route: 'GET /x/v1/me/mail-address',
    summary: 'Show the mail address of the signed-in user',
    permission: 'session',
    answer: OwnMailAddress,
  },
  current_user_mail_address_update: {
    route: 'PUT /x/v1/me/mail-address',
    summary: 'Change the mail address of the signed-in user, which has to be confirmed',
    permission: 'session',
    body: OwnMailAddressUpdate,
    // Verifying a password takes too long for a transaction.
    transaction: 'own',
    audited: { kind: 'silo_user' },
    answer: OwnMailAddress,
  },
  user_link_view: {
    route: 'POST /x/v1/login-links/view',
    summary: 'Show the purpose of a link, without any effect',
    ...open,
    body: UserLinkToken,
    transaction: 'none',
    audited: false,
    success: { status: 200, schema: UserLinkView },
  },
  user_link_use: {
    route: 'POST /x/v1/login-links/use',
    summary: 'Set a password or confirm a mail address by a link, once',
    ...open,
    body: UserLinkUse,
    // Hashing a password takes too long for a transaction.
    transaction: 'own',
    audited: { kind: 'silo_user', secret: 'password' },
    success: { status: 204 },
    changes: ['console_session'],
  },
  forgotten_password: {
    route: 'POST /x/v1/login/{silo_name}/forgotten-password',
    summary: 'Ask for a mail with which a user sets another password',
    ...open,
    params: { silo_name: Name },
    body: ForgottenPassword,
    transaction: 'own',
    audited: false,
    changes: [],
    success: { status: 204 },
  },
})
