import { plain, type Probes } from './probe.ts'
import { ids } from './world.ts'

const silo_name = 'main'
const totp = { type: 'totp', secret: 'A'.repeat(32), code: '000000' } as const
const policy = { params: { silo: 'main' } }

/** Calls without a ticket of the password. */
const step = (body?: object) => ({
  args: () => ({ params: { silo_name }, ...(body && { body }) }),
  passes: 401,
})

export const secondFactorsProbes = {
  second_factor_view: step(),
  second_factor_use: step({ type: 'totp', code: '000000' }),
  second_factor_setup_begin: step({ type: 'totp' }),
  second_factor_setup: step(totp),
  // The test calls an IP address.
  passkey_login_begin: { args: () => ({ params: { silo_name } }), passes: 400 },
  passkey_login: {
    args: () => ({ params: { silo_name }, body: { response: '{}' } }),
    passes: 400,
  },
  sign_in_security_view: plain,
  factor_setup_begin: { args: () => ({ body: { type: 'totp' } }) },
  // The code is wrong.
  factor_setup: { args: () => ({ body: { factor: totp } }), passes: 400 },
  factor_remove: { args: () => ({ body: { factor: { type: 'totp' } } }) },
  recovery_codes_create: { args: () => ({ body: {} }) },
  passkey_update: {
    args: () => ({ params: { passkey_id: crypto.randomUUID() }, body: { name: 'key' } }),
    passes: 404,
  },
  user_factors_delete: { args: () => ({ params: { user_id: ids.bystander } }) },
  sign_in_policy_view: { args: () => policy },
  sign_in_policy_update: { args: () => ({ ...policy, body: { second_factor: 'optional' } }) },
} satisfies Partial<Probes>
