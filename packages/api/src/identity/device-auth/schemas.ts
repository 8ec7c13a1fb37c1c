import { integer, record, shortText, uuid } from '../../schema.ts'

export const DeviceAuthRequest = record('DeviceAuthRequest', {
  client_id: uuid,
  /** Requested lifetime of the token. */
  ttl_seconds: integer('uint32', 'a nonzero u32', 1, 0xffffffff).nullable().optional(),
})

export const DeviceAuthVerify = record('DeviceAuthVerify', { user_code: shortText })

export const DeviceAccessTokenRequest = record('DeviceAccessTokenRequest', {
  grant_type: shortText,
  device_code: shortText,
  client_id: uuid,
})
