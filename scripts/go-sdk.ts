/**
 * `node scripts/run.mjs go-sdk`: builds the published Go SDK of this API and drives it against a server
 * of its own, with an access token from the device flow. Needs Go and its module proxy, so it is no
 * part of the tests.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultConfig } from '../packages/node/src/config.ts'
import { startServer } from '../packages/node/src/server.ts'

const PASSWORD = 'a password for a moment'
const program = join(import.meta.dirname, 'go-sdk')

/** @throws Error for an answer other than success */
async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { method: 'POST', ...init })
  if (response.ok) return response
  throw new Error(`${url} was answered with ${response.status}: ${await response.text()}`)
}

const form = (fields: Record<string, string>): RequestInit => ({
  body: new URLSearchParams(fields),
})
const json = (body: object, headers: Record<string, string> = {}): RequestInit => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
})

/** An access token of the administrator, as a command line tool gets one. */
async function accessToken(url: string): Promise<string> {
  const credentials = { username: 'admin', password: PASSWORD }
  const signedIn = await send(`${url}/v1/login/main/local`, json(credentials))
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!
  const client_id = crypto.randomUUID()
  const asked = await send(`${url}/device/auth`, form({ client_id }))
  const { user_code, device_code } = (await asked.json()) as Record<string, string>
  await send(`${url}/device/confirm`, json({ user_code }, { cookie }))
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const fields = { grant_type, device_code: device_code!, client_id }
  const granted = await send(`${url}/device/token`, form(fields))
  return ((await granted.json()) as Record<string, string>).access_token!
}

const data = mkdtempSync(join(tmpdir(), 'steading-go-'))
const binary = join(data, 'drive')
const built = spawnSync('go', ['build', '-o', binary, '.'], { cwd: program, stdio: 'inherit' })
if (built.status !== 0) {
  console.error('The Go SDK could not be built.')
  process.exit(1)
}
const server = await startServer({
  ...defaultConfig(),
  port: 0,
  data: join(data, 'server'),
  adminPassword: PASSWORD,
})
const env = { ...process.env, OXIDE_HOST: server.url, OXIDE_TOKEN: await accessToken(server.url) }
const child = spawn(binary, { env, stdio: 'inherit' })
const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
await server.close()
rmSync(data, { recursive: true, force: true })
process.exitCode = code ?? 1
