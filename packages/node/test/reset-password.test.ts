/** Resetting a forgotten password. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DEVICE_GRANT_TYPE } from '@steading/api/rules'
import { Client } from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { oneTimePassword } from '../../control-plane/test/support/authenticator.ts'
import { postgresMissing } from '../../control-plane/test/support/postgres.ts'
import setup from '../../control-plane/test/support/postgres-setup.ts'
import { PASSWORD, runToEnd, signIn, startProcess, temporaryDirectory } from './support/process.ts'

/** An access token of the administrator, who confirms a device. */
async function tokenOf(url: string, cookie: string): Promise<string> {
  const client_id = crypto.randomUUID()
  const form = (fields: Record<string, string>) => ({
    method: 'POST',
    body: new URLSearchParams({ client_id, ...fields }),
  })
  const asked = await fetch(`${url}/device/auth`, form({}))
  const { device_code, user_code } = (await asked.json()) as Record<string, string>
  await fetch(`${url}/device/confirm`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ user_code }),
  })
  const granted = await fetch(
    `${url}/device/token`,
    form({ grant_type: DEVICE_GRANT_TYPE, device_code: device_code! }),
  )
  return ((await granted.json()) as { access_token: string }).access_token
}

/** Sets up one-time passwords, without which the administrator cannot sign in. */
async function addSecondFactor(url: string, cookie: string): Promise<void> {
  const send = async (method: string, body: object) => {
    const headers = { cookie, 'content-type': 'application/json' }
    const path = `${url}/x/v1/me/sign-in-security/setup`
    const response = await fetch(path, { method, headers, body: JSON.stringify(body) })
    expect(response.status).toBe(200)
    return (await response.json()) as { secret: string }
  }
  const { secret } = await send('POST', { type: 'totp' })
  const factor = { type: 'totp', secret, code: oneTimePassword(secret) }
  await send('PUT', { current_password: PASSWORD, factor })
}

/**
 * Resets the administrator's password beside a running server.
 * @returns the new password, which works, unlike the old one
 */
async function reset(options: string[]): Promise<string> {
  const server = await startProcess(options)
  const cookie = await signIn(server.url)
  const authorization = `Bearer ${await tokenOf(server.url, cookie)}`
  await addSecondFactor(server.url, cookie)
  const { code, stdout, stderr } = await runToEnd(['reset-password', 'main', 'admin', ...options])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [, password] =
    /^The password of "admin" in silo "main" is now (\S{20}) \(shown only now\)\n$/.exec(stdout)!
  for (const headers of [{ cookie }, { authorization }] as Record<string, string>[]) {
    const me = async () => (await fetch(`${server.url}/v1/me`, { headers })).status
    await vi.waitFor(async () => expect(await me()).toBe(401), { timeout: 120_000 })
  }
  await expect(signIn(server.url, PASSWORD)).rejects.toThrow('401')
  await signIn(server.url, password)
  await server.end('SIGTERM')
  return password!
}

test('is reset beside a server on the embedded database', async () => {
  expect(await reset(['--data', temporaryDirectory()])).not.toBe(PASSWORD)
})

test.skipIf(postgresMissing())('is reset beside a server on PostgreSQL @long', async () => {
  let url = ''
  const provide = (_: string, value: string) => void (url = value)
  const tearDown = await setup({ provide } as Parameters<typeof setup>[0])
  try {
    const options = ['--data', temporaryDirectory(), '--database-url', url]
    expect(await reset(options)).not.toBe(PASSWORD)
    // The server has initialized the database; the other one is empty.
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query('create database untouched')
    await client.end()
    const empty = ['--database-url', url.replace(/postgres$/, 'untouched')]
    expect(await runToEnd(['reset-password', 'main', 'admin', ...empty])).toMatchObject({
      code: 2,
      stderr: 'steading: the database is empty; the first start of a server sets it up\n',
    })
  } finally {
    await tearDown()
  }
})

test('is reset in a database that a newer server has not yet migrated @long', async () => {
  const data = temporaryDirectory()
  const server = await startProcess(['--data', data])
  await server.end('SIGTERM')
  const database = new DatabaseSync(join(data, 'steading.db'))
  database.exec('drop table access_token')
  database.exec('alter table silo_user drop column password_generated')
  database.close()
  const { code, stdout } = await runToEnd(['reset-password', 'main', 'admin', '--data', data])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^The password of "admin" in silo "main" is now \S{20} /)
})

describe('cannot be reset', () => {
  const problem = async (...args: string[]) => {
    const { code, stdout, stderr } = await runToEnd(['reset-password', ...args])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    return stderr
  }

  test('without a database or user @long', async () => {
    const data = temporaryDirectory()
    const server = await startProcess(['--data', data])
    await server.end('SIGTERM')
    expect(await problem('main', 'nobody', '--data', data)).toBe(
      'steading: there is no user "nobody" in silo "main"\n',
    )
    expect(await problem('nope', 'admin', '--data', data)).toBe(
      'steading: there is no silo "nope"\n',
    )
    const nowhere = join(data, 'nowhere')
    expect(await problem('main', 'admin', '--data', nowhere)).toBe(
      `steading: there is no database in ${nowhere}; say where it is with --data\n`,
    )
  })

  test.each([[[]], [['main']], [['main', '--data', 'x']]])('without a user: %j', async (args) => {
    expect(await problem(...args)).toBe(
      'steading: reset-password needs a silo and a user: reset-password main admin\n',
    )
  })
})
