import { DEVICE_GRANT_TYPE } from '@steading/api/rules'
import { ADMIN_PASSWORD } from '../harness.ts'
import { plain, type Probes } from './probe.ts'
import { fresh, ids } from './world.ts'

export const authProbes = {
  login_local: {
    args: () => ({
      params: { silo_name: 'main' },
      body: { username: 'admin', password: ADMIN_PASSWORD },
    }),
  },
  logout: plain,
  sign_in_page_view: { args: () => ({ params: { silo_name: 'main' } }) },
  current_user_password_view: plain,
  // They have no password to change.
  current_user_password_update: {
    args: () => ({
      body: { current_password: 'x', new_password: 'y', end_other_sessions: false },
    }),
    passes: 404,
  },
  user_logout: { args: () => ({ params: { user_id: ids.bystander } }) },
  // Codes that the server has not given out.
  device_auth_request: { args: () => ({ body: { client_id: crypto.randomUUID() } }) },
  device_auth_confirm: { args: () => ({ body: { user_code: 'BCDF-GHJK' } }), passes: 404 },
  device_access_token: {
    args: () => ({
      body: {
        client_id: crypto.randomUUID(),
        device_code: 'none',
        grant_type: DEVICE_GRANT_TYPE,
      },
    }),
    passes: 400,
  },
  current_user_access_token_list: plain,
  current_user_access_token_delete: {
    args: () => ({ params: { token_id: crypto.randomUUID() } }),
    passes: 404,
  },
  current_user_access_token_details_list: plain,
  current_user_access_token_create: {
    args: () => ({ body: { name: fresh(), access: 'full' as const } }),
  },
  user_token_list: { args: () => ({ params: { user_id: ids.bystander } }) },
  user_session_list: { args: () => ({ params: { user_id: ids.bystander } }) },
  current_user_address_view: plain,
  current_user_session_list: plain,
  current_user_session_delete: {
    args: () => ({ params: { session_id: crypto.randomUUID() } }),
    passes: 404,
  },
  current_user_session_delete_others: plain,
  auth_settings_view: plain,
  auth_settings_update: { args: () => ({ body: { device_token_max_ttl_seconds: null } }) },
} satisfies Partial<Probes>
