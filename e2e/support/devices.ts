import type { Host } from './host.ts'

/** A device that has requested codes, as a command line tool does. */
export interface WaitingDevice {
  userCode: string
  /** Its token, once its code has been confirmed. */
  token: () => Promise<string | undefined>
}

const post = async (url: string, fields: Record<string, string>): Promise<Record<string, string>> =>
  (await fetch(url, { method: 'POST', body: new URLSearchParams(fields) })).json() as never

export async function waitingDevice({ url }: Host): Promise<WaitingDevice> {
  const client_id = crypto.randomUUID()
  const { user_code, device_code } = await post(`${url}/device/auth`, { client_id })
  return {
    userCode: user_code!,
    async token() {
      const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
      const answer = await post(`${url}/device/token`, {
        grant_type,
        device_code: device_code!,
        client_id,
      })
      return answer.access_token
    },
  }
}
