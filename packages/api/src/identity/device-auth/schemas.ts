import { SHORT_TEXT_MAX } from '../../rules/limits.ts'
import { integer, record, uuid, text } from '../../schema.ts'

export const DeviceAuthRequest = record('DeviceAuthRequest', {
  client_id: uuid,
  /** Requested lifetime of the token. */
  ttl_seconds: integer('uint32', 'a nonzero u32', 1, 0xffffffff).nullable().optional(),
})

export const DeviceAuthVerify = record('DeviceAuthVerify', { user_code: text(SHORT_TEXT_MAX) })

export const DeviceAccessTokenRequest = record('DeviceAccessTokenRequest', {
  grant_type: text(SHORT_TEXT_MAX),
  device_code: text(SHORT_TEXT_MAX),
  client_id: uuid,
})
