/**
 * `node scripts/run.mjs go-sdk`: builds the published Go SDK of this API and drives it against a server
 * of its own, with an access token from the device flow. Needs Go and its module proxy, so it is no
 * part of the tests.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build, confirm, drive, send } from './sdk-server.ts'

const form = (fields: Record<string, string>): RequestInit => ({
  body: new URLSearchParams(fields),
})

/** An access token of the administrator, as a command line tool gets one. */
async function accessToken(url: string): Promise<string> {
  const client_id = crypto.randomUUID()
  const asked = await send(`${url}/device/auth`, form({ client_id }))
  const { user_code, device_code } = (await asked.json()) as Record<string, string>
  await confirm(url, user_code!)
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const fields = { grant_type, device_code: device_code!, client_id }
  const granted = await send(`${url}/device/token`, form(fields))
  return ((await granted.json()) as Record<string, string>).access_token!
}

await drive((directory) => {
  const binary = join(directory, 'drive')
  build('The Go SDK', 'go', ['build', '-o', binary, '.'], join(import.meta.dirname, 'go-sdk'))
  return async (url) => {
    const env = { ...process.env, OXIDE_HOST: url, OXIDE_TOKEN: await accessToken(url) }
    return spawn(binary, { env, stdio: 'inherit' })
  }
})
