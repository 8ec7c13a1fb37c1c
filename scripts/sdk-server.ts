/** Common code of the scripts that run published clients of this API against a new server. */
import { type ChildProcess, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultConfig } from '../packages/node/src/config.ts'
import { startServer } from '../packages/node/src/server.ts'

const PASSWORD = 'a password for a moment'

/** @throws Error for an unsuccessful answer */
export async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { method: 'POST', ...init })
  if (response.ok) return response
  throw new Error(`${url} was answered with ${response.status}: ${await response.text()}`)
}

const json = (body: object, headers: Record<string, string> = {}): RequestInit => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
})

/** Confirms a device's code as the signed-in administrator. */
export async function confirm(url: string, user_code: string): Promise<void> {
  const credentials = { username: 'admin', password: PASSWORD }
  const signedIn = await send(`${url}/v1/login/main/local`, json(credentials))
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!
  await send(`${url}/device/confirm`, json({ user_code }, { cookie }))
}

const form = (fields: Record<string, string>): RequestInit => ({
  body: new URLSearchParams(fields),
})

/** An access token of the administrator, as obtained by a command line tool. */
export async function accessToken(url: string): Promise<string> {
  const client_id = crypto.randomUUID()
  const asked = await send(`${url}/device/auth`, form({ client_id }))
  const { user_code, device_code } = (await asked.json()) as Record<string, string>
  await confirm(url, user_code!)
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const fields = { grant_type, device_code: device_code!, client_id }
  const granted = await send(`${url}/device/token`, form(fields))
  return ((await granted.json()) as Record<string, string>).access_token!
}

/** Exits if a client cannot be built. */
export function build(what: string, command: string, args: string[], cwd: string): void {
  const built = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (built.status === 0) return
  console.error(`${what} could not be built.`)
  process.exit(1)
}

/**
 * Starts a server, and a client that ends by itself; exits with the client's exit code.
 * @param prepare builds the client, in its own directory
 */
export async function drive(
  prepare: (directory: string) => (url: string) => Promise<ChildProcess>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'steading-sdk-'))
  try {
    const start = prepare(directory)
    const server = await startServer({
      ...defaultConfig(),
      engine: 'simulated',
      port: 0,
      data: join(directory, 'server'),
      adminPassword: PASSWORD,
    })
    const client = await start(server.url)
    const [code] = (await once(client, 'exit')) as [number | null]
    await server.close()
    process.exitCode = code ?? 1
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
