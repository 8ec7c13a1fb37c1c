import type { Operation } from '../../operation.ts'
import { PUBLIC_BODY_MAX } from '../../rules/limits.ts'
import { Name, uuid } from '../../schema.ts'
import {
  FactorAdd,
  FactorRemove,
  FactorSetup,
  FactorSetupRequest,
  NewFactor,
  OwnPasswordProof,
  PasskeyLogin,
  PasskeyOptions,
  PasskeyUpdate,
  RecoveryCodes,
  SecondFactorResult,
  SecondFactorStep,
  SecondFactorUse,
  SignInPolicy,
  SignInSecurity,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const tags = ['extensions']

/** Steps of a sign-in, for which the cookie of the password is the credential. */
const step = {
  tags,
  permission: 'public',
  params: { silo_name: Name },
  // Passwords and keys are checked outside of transactions.
  transaction: 'own',
  evenIfFull: true,
} as const
const sending = { ...step, maxBody: PUBLIC_BODY_MAX } as const
const audited = { kind: 'silo_user' } as const
const ofStep = '/x/v1/login/{silo_name}/second-factor'
const own = { tags, permission: 'session', transaction: 'own', audited } as const

export const secondFactorOperations = {
  second_factor_view: {
    method: 'GET',
    path: ofStep,
    ...step,
    summary: 'Show the step of a sign-in after the password',
    live: true,
    success: { status: 200, schema: SecondFactorStep },
  },
  second_factor_use: {
    method: 'POST',
    path: ofStep,
    ...sending,
    summary: 'Sign in with a second factor after the password',
    body: SecondFactorUse,
    audited,
    success: { status: 200, schema: SecondFactorResult },
  },
  second_factor_setup_begin: {
    method: 'POST',
    path: `${ofStep}/setup`,
    ...sending,
    summary: 'Begin to set up a second factor that the silo requires',
    body: FactorSetupRequest,
    audited: false,
    success: { status: 200, schema: FactorSetup },
  },
  second_factor_setup: {
    method: 'PUT',
    path: `${ofStep}/setup`,
    ...sending,
    summary: 'Set up a second factor that the silo requires, and sign in',
    body: NewFactor,
    audited,
    success: { status: 200, schema: RecoveryCodes },
  },
  passkey_login_begin: {
    method: 'POST',
    path: '/x/v1/login/{silo_name}/passkey/options',
    ...sending,
    summary: 'Begin to sign in with a passkey alone',
    audited: false,
    success: { status: 200, schema: PasskeyOptions },
  },
  passkey_login: {
    method: 'POST',
    path: '/x/v1/login/{silo_name}/passkey',
    ...sending,
    summary: 'Sign in with a passkey alone',
    body: PasskeyLogin,
    audited,
    success: { status: 204 },
  },
  sign_in_security_view: {
    method: 'GET',
    path: '/x/v1/me/sign-in-security',
    tags,
    summary: 'Show the second factors of the signed-in user',
    permission: 'session',
    success: { status: 200, schema: SignInSecurity },
  },
  factor_setup_begin: {
    method: 'POST',
    path: '/x/v1/me/sign-in-security/setup',
    ...own,
    summary: 'Begin to set up a second factor',
    body: FactorSetupRequest,
    audited: false,
    success: { status: 200, schema: FactorSetup },
    changes: [],
  },
  factor_setup: {
    method: 'PUT',
    path: '/x/v1/me/sign-in-security/setup',
    ...own,
    summary: 'Set up a second factor',
    body: FactorAdd,
    success: { status: 200, schema: RecoveryCodes },
    changes: ['silo_user'],
  },
  factor_remove: {
    method: 'POST',
    path: '/x/v1/me/sign-in-security/remove',
    ...own,
    summary: 'Remove a second factor',
    body: FactorRemove,
    success: { status: 204 },
    changes: ['silo_user'],
  },
  recovery_codes_create: {
    method: 'POST',
    path: '/x/v1/me/sign-in-security/recovery-codes',
    ...own,
    summary: 'Replace the recovery codes',
    body: OwnPasswordProof,
    success: { status: 200, schema: RecoveryCodes },
    changes: ['silo_user'],
  },
  passkey_update: {
    method: 'PUT',
    path: '/x/v1/me/passkeys/{passkey_id}',
    tags,
    summary: 'Rename a passkey of the signed-in user',
    permission: 'session',
    params: { passkey_id: uuid },
    body: PasskeyUpdate,
    audited,
    success: { status: 204 },
    changes: ['silo_user'],
  },
  ...usual('silo_user', { path: '/x/v1/users/{user_id}' })({
    user_factors_delete: {
      route: 'DELETE second-factors',
      summary: 'Remove the second factors of a user, and end the sessions',
      changes: ['console_session'],
    },
  }),
  ...usual('silo', {
    item: SignInPolicy,
    id: 'sign_in_policy',
    path: '/x/v1/system/silos/{silo}/sign-in-policy',
  })({
    sign_in_policy_view: { summary: 'Show the requirement of a silo for second factors' },
    sign_in_policy_update: {
      summary: 'Change the requirement of a silo for second factors',
      body: SignInPolicy,
      versioned: 'sign_in_policy',
    },
  }),
} as const satisfies Record<string, Operation>
