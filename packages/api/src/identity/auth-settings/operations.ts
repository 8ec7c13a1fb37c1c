import type { Operation } from '../../operation.ts'
import { SiloAuthSettings, SiloAuthSettingsUpdate } from './schemas.ts'

const path = '/v1/auth-settings'
const tags = ['silos']

export const authSettingsOperations = {
  auth_settings_view: {
    method: 'GET',
    path,
    tags,
    summary: "Show the authentication settings of the caller's silo",
    permission: { silo: 'read' },
    success: { status: 200, schema: SiloAuthSettings },
  },
  auth_settings_update: {
    method: 'PUT',
    path,
    tags,
    summary: 'Replace the authentication settings of the silo',
    permission: { silo: 'modify' },
    body: SiloAuthSettingsUpdate,
    versioned: 'auth_settings',
    success: { status: 200, schema: SiloAuthSettings },
  },
} as const satisfies Record<string, Operation>
