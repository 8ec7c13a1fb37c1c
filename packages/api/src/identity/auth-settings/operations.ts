import { TOKEN_LIFETIME_MAX } from '../../rules/limits.ts'
import { integer, record, uint32, uuid } from '../../schema.ts'
import { usual } from '../../kinds/usual.ts'

/** Seconds; null if tokens may be valid forever. */
const SiloAuthSettings = record('SiloAuthSettings', {
  silo_id: uuid,
  device_token_max_ttl_seconds: uint32.nullable().optional(),
})

const SiloAuthSettingsUpdate = record('SiloAuthSettingsUpdate', {
  device_token_max_ttl_seconds: integer(
    'uint32',
    'a nonzero u32',
    1,
    TOKEN_LIFETIME_MAX,
  ).nullable(),
})

export const authSettingsOperations = usual('silo', {
  item: SiloAuthSettings,
  id: 'auth_settings',
  path: '/v1/auth-settings',
  tag: 'silos',
})({
  auth_settings_view: { summary: "Show the authentication settings of the caller's silo" },
  auth_settings_update: {
    summary: 'Replace the authentication settings of the silo',
    body: SiloAuthSettingsUpdate,
    versioned: 'auth_settings',
  },
})
