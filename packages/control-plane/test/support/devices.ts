/** Devices that get access tokens, as command line tools do. */
import { DEVICE_GRANT_TYPE } from '@steading/api/rules'
import type { Caller } from './caller.ts'

const form = (fields: Record<string, string>): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields),
})

export interface DeviceCodes {
  device_code: string
  user_code: string
  verification_uri: string
  expires_in: number
}

export interface Granted {
  access_token: string
  token_type: string
  token_id: string
  time_expires: string | null
}

/** A device that has requested codes. */
export class Device {
  readonly clientId: string
  readonly codes: DeviceCodes
  readonly #caller: Caller

  constructor(caller: Caller, clientId: string, codes: DeviceCodes) {
    this.#caller = caller
    this.clientId = clientId
    this.codes = codes
  }

  /** The answer when the device asks for its token. */
  async poll(fields: Record<string, string> = {}): Promise<{ status: number; body: unknown }> {
    const response = await this.#caller.fetch(
      '/device/token',
      form({
        grant_type: DEVICE_GRANT_TYPE,
        device_code: this.codes.device_code,
        client_id: this.clientId,
        ...fields,
      }),
    )
    return { status: response.status, body: await response.json() }
  }
}

/** @param anonymous a client without credentials */
export async function newDevice(anonymous: Caller, ttlSeconds?: number): Promise<Device> {
  const clientId = crypto.randomUUID()
  const ttl: Record<string, string> = ttlSeconds ? { ttl_seconds: String(ttlSeconds) } : {}
  const response = await anonymous.fetch('/device/auth', form({ client_id: clientId, ...ttl }))
  return new Device(anonymous, clientId, (await response.json()) as DeviceCodes)
}

/** A caller with a new access token of a user. */
export async function tokenOf(
  user: Caller,
  anonymous: Caller,
  ttlSeconds?: number,
): Promise<Caller & { granted: Granted }> {
  const device = await newDevice(anonymous, ttlSeconds)
  await user.call('device_auth_confirm', { body: { user_code: device.codes.user_code } })
  const granted = (await device.poll()).body as Granted
  return Object.assign(user.withToken(granted.access_token), { granted })
}
