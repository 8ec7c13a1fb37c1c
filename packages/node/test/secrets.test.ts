import { DEVICE_GRANT_TYPE } from '@steading/api/rules'
import { expect, test } from 'vitest'
import { PASSWORD, signIn, startProcess, migratedDirectory } from './support/process.ts'

test('no password, session, code or token is printed or logged', async () => {
  const server = await startProcess(['--data', migratedDirectory()])
  const cookie = await signIn(server.url)
  const form = async (path: string, fields: Record<string, string>) => {
    const init = { method: 'POST', body: new URLSearchParams(fields) }
    return (await fetch(server.url + path, init)).json() as Promise<Record<string, string>>
  }
  const client_id = crypto.randomUUID()
  const { device_code, user_code } = await form('/device/auth', { client_id })
  const confirm = () =>
    fetch(`${server.url}/device/confirm`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ user_code }),
    })
  const grant_type = DEVICE_GRANT_TYPE
  // The code is unknown the second time.
  expect([(await confirm()).status, (await confirm()).status]).toEqual([204, 404])
  const { access_token } = await form('/device/token', {
    grant_type,
    device_code: device_code!,
    client_id,
  })
  const statusWith = async (authorization: string) =>
    (await fetch(`${server.url}/v1/me`, { headers: { authorization } })).status
  expect(await statusWith(`Bearer ${access_token}`)).toBe(200)
  expect(await statusWith(`Bearer ${access_token}0`)).toBe(401)
  const { stdout, stderr } = await server.end('SIGTERM')
  for (const secret of [PASSWORD, cookie.split('=')[1]!, device_code!, user_code!, access_token!]) {
    expect(stdout + stderr).not.toContain(secret)
  }
})
