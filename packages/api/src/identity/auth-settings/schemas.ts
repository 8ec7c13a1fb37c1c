import { TOKEN_LIFETIME_MAX } from '../../rules/limits.ts'
import { integer, record, uint32, uuid } from '../../schema.ts'

/** Seconds; null if tokens may be valid forever. */
export const SiloAuthSettings = record('SiloAuthSettings', {
  silo_id: uuid,
  device_token_max_ttl_seconds: uint32.nullable().optional(),
})

export const SiloAuthSettingsUpdate = record('SiloAuthSettingsUpdate', {
  device_token_max_ttl_seconds: integer(
    'uint32',
    'a nonzero u32',
    1,
    TOKEN_LIFETIME_MAX,
  ).nullable(),
})
