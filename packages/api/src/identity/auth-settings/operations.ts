import { SiloAuthSettings, SiloAuthSettingsUpdate } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

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
