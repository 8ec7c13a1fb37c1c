/**
 * An identity provider that provisions a silo over SCIM, on both databases: users first, then
 * groups, whose members are added one by one, as providers do.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../packages/control-plane/test/support/postgres.ts'
import { GiB, SCIM_TYPE } from '../../packages/api/src/rules.ts'
import { signIn, startHost } from './host.ts'

const USERS = 1_000
const GROUPS = 50
const MEMBERS = 20
/** Concurrent requests, as providers send them. */
const CLIENTS = 8

const silo = {
  name: 'provided',
  description: '',
  identity_mode: 'saml_scim',
  discoverable: true,
  quotas: { cpus: 1, memory: GiB, storage: GiB },
  tls_certificates: [],
}

/**
 * Sends bodies with limited concurrency.
 * @returns the answers, and the requests per second
 */
async function sendAll(
  bodies: readonly object[],
  send: (body: object, index: number) => Promise<Response>,
): Promise<{ ids: string[]; perSecond: number }> {
  const ids: string[] = []
  let next = 0
  const began = performance.now()
  const client = async () => {
    for (let index = next++; index < bodies.length; index = next++) {
      const answer = await send(bodies[index]!, index)
      if (!answer.ok) throw new Error(`answered ${answer.status}: ${await answer.text()}`)
      const text = await answer.text()
      if (text) ids[index] = (JSON.parse(text) as { id: string }).id
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return { ids, perSecond: (bodies.length / (performance.now() - began)) * 1000 }
}

async function fill(name: string, data: string, databaseUrl?: string): Promise<void> {
  const host = await startHost(data, { databaseUrl })
  try {
    const headers = { cookie: await signIn(host.url), 'content-type': 'application/json' }
    const post = (path: string, body?: object) =>
      fetch(host.url + path, { method: 'POST', headers, body: body && JSON.stringify(body) })
    await post('/v1/system/silos', silo)
    const token = await post('/v1/system/scim/tokens?silo=provided')
    const { bearer_token } = (await token.json()) as { bearer_token: string }
    const scim = (method: string, path: string, body?: object) =>
      fetch(`${host.url}/scim/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${bearer_token}`, 'content-type': SCIM_TYPE },
        body: body && JSON.stringify(body),
      })
    const users = Array.from({ length: USERS }, (_, n) => ({
      userName: `user-${n}@example.com`,
      externalId: `external-${n}`,
      name: { givenName: 'Given', familyName: `Family ${n}` },
      emails: [{ value: `user-${n}@example.com`, type: 'work', primary: true }],
    }))
    const made = await sendAll(users, (body) => scim('POST', '/Users', body))
    const groups = Array.from({ length: GROUPS }, (_, n) => ({ displayName: `group-${n}` }))
    const { ids: groupIds } = await sendAll(groups, (body) => scim('POST', '/Groups', body))
    const patches = Array.from({ length: GROUPS * MEMBERS }, (_, n) => ({
      Operations: [{ op: 'Add', path: 'members', value: [{ value: made.ids[(n * 7) % USERS] }] }],
    }))
    const patched = await sendAll(patches, (body, index) =>
      scim('PATCH', `/Groups/${groupIds[index % GROUPS]}`, body),
    )
    const found = await sendAll(users, ({ userName }: { userName?: string }) =>
      scim('GET', `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`),
    )
    const began = performance.now()
    await (await scim('GET', '/Users?count=1000')).text()
    const pageMs = performance.now() - began
    const columns = [made, patched, found].map(({ perSecond }) => perSecond.toFixed(0).padStart(10))
    console.log(`${name.padEnd(12)}${columns.join('')}${pageMs.toFixed(0).padStart(10)} ms`)
  } finally {
    await host.stop()
  }
}

export async function scimFigures(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'steading-scim-'))
  const postgresHome = await mkdtemp(join(tmpdir(), 'steading-scim-postgres-'))
  const postgres = await startPostgres(postgresHome, { durable: true })
  try {
    console.log(`\n${USERS} users and ${GROUPS} groups over SCIM, ${CLIENTS} requests at a time`)
    console.log('a second:      users   members     found   page of 1000')
    await fill('SQLite', join(home, 'sqlite'))
    await fill('PostgreSQL', join(home, 'shared'), postgres.url)
  } finally {
    await postgres.stop()
    for (const path of [home, postgresHome]) await rm(path, { recursive: true, force: true })
  }
}
