import { anything, integer, record, shortText, uuid } from '../../schema.ts'
import type { Operation } from '../../operation.ts'
import { PUBLIC_BODY_MAX } from '../../rules/limits.ts'

const DeviceAuthRequest = record('DeviceAuthRequest', {
  client_id: uuid,
  /** Requested lifetime of the token. */
  ttl_seconds: integer('uint32', 'a nonzero u32', 1, 0xffffffff).nullable().optional(),
})

const DeviceAuthVerify = record('DeviceAuthVerify', { user_code: shortText })

const DeviceAccessTokenRequest = record('DeviceAccessTokenRequest', {
  grant_type: shortText,
  device_code: shortText,
  client_id: uuid,
})

const tags = ['console-auth']

/** The answers of RFC 8628, whose errors have their own shape. */
const answers = { status: 200, schema: anything, freeForm: true } as const

export const deviceAuthOperations = {
  device_auth_request: {
    method: 'POST',
    path: '/device/auth',
    tags,
    summary: 'Request the codes for the device authorization of an access token',
    permission: 'public',
    body: DeviceAuthRequest,
    bodyType: 'application/x-www-form-urlencoded',
    maxBody: PUBLIC_BODY_MAX,
    // The confirmation, which lets the device fetch its token, is in the audit log.
    audited: false,
    success: answers,
  },
  device_auth_confirm: {
    method: 'POST',
    path: '/device/confirm',
    tags,
    summary: 'Authorize the device that shows a code to act as the signed-in user',
    permission: 'session',
    body: DeviceAuthVerify,
    audited: { kind: 'access_token', secret: 'user_code' },
    success: { status: 204 },
    changes: ['access_token'],
  },
  device_access_token: {
    method: 'POST',
    path: '/device/token',
    tags,
    summary: 'Fetch the access token of a device whose code was confirmed',
    permission: 'public',
    body: DeviceAccessTokenRequest,
    bodyType: 'application/x-www-form-urlencoded',
    maxBody: PUBLIC_BODY_MAX,
    transaction: 'none',
    audited: false,
    success: answers,
  },
} as const satisfies Record<string, Operation>
