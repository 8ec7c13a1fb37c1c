/** Network of guests driven by different servers, on one PostgreSQL. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { leaseOf } from '../../src/rows.ts'
import { viewConsole } from '../../../control-plane/test/support/console.ts'
import { startTestServer, type TestServer } from '../../../control-plane/test/support/harness.ts'
import { reaches, smallInstance } from '../../../control-plane/test/support/things.ts'

const onPostgres = inject('dialect') === 'postgres'
/** Name of the second server in the database. */
const SECOND = 'second'
const names = ['web', 'cache'] as const
type Name = (typeof names)[number]
const query = { project: 'shop' }
let first: TestServer
let second: TestServer
const ids: Partial<Record<Name, string>> = {}

const sledOf = async (name: Name): Promise<string> => {
  const rows = first.db.selectFrom('instance').select('sled_id').where('id', '=', ids[name]!)
  return (await rows.executeTakeFirstOrThrow()).sled_id!
}

/** Lets only the second server take the lease of a sled, and waits until it has it. */
async function giveToSecond(sledId: string): Promise<void> {
  const id = leaseOf(sledId)
  await sql`
    create function only_second() returns trigger language plpgsql as $$
      begin
        if new.id = ${sql.lit(id)} and current_setting('application_name') <> ${sql.lit(SECOND)}
        then return null; end if;
        return new;
      end $$`.execute(first.db)
  await sql`
    create trigger only_second before insert or update on lease
    for each row execute function only_second()`.execute(first.db)
  const tokenOf = async () => {
    const row = first.db.selectFrom('lease').select('token').where('id', '=', id)
    return Number((await row.executeTakeFirstOrThrow()).token)
  }
  const before = await tokenOf()
  await vi.waitFor(async () => expect(await tokenOf()).toBeGreaterThan(before), {
    timeout: 120_000,
  })
}

beforeAll(async () => {
  if (!onPostgres) return
  first = await startTestServer()
  const { admin, data } = first
  await admin.call('project_create', { body: { name: 'shop', description: '' } })
  for (const name of names) {
    const body = smallInstance(name, { start: true })
    const { id } = await admin.call('instance_create', { query, body })
    await reaches(admin, id, 'running')
    ids[name] = id
  }
  const databaseUrl = `${first.databaseUrl}?application_name=${SECOND}`
  second = await startTestServer({ databaseUrl, data })
  const [ofWeb, ofCache] = [await sledOf('web'), await sledOf('cache')]
  if (ofCache === ofWeb) throw new Error('both instances run on one sled')
  await giveToSecond(ofCache)
})
afterAll(async () => {
  await second?.close()
  await first?.close()
})

/** The console of a guest, at its prompt. */
async function consoleOf(server: TestServer, name: Name) {
  const view = viewConsole(server.url, server.admin, ids[name]!)
  await view.opened
  await vi.waitFor(() => expect(view.seen()).toContain(`${name}:~# `), { timeout: 120_000 })
  return {
    type: (line: string) => view.type(`${line}\r`),
    /** Waits for output of the guest. */
    says: (text: RegExp): Promise<string> =>
      vi.waitFor(() => view.seen().match(text)?.[0] ?? Promise.reject(new Error(view.seen())), {
        timeout: 120_000,
      }),
  }
}

test.runIf(onPostgres)('ping and nc work between guests driven by two servers', async () => {
  const web = await consoleOf(first, 'web')
  const cache = await consoleOf(second, 'cache')
  web.type('ping -c 1 cache')
  await web.says(/1 packets transmitted, 1 received, 0% packet loss/)
  cache.type('ping -c 1 web')
  await cache.says(/1 packets transmitted, 1 received, 0% packet loss/)
  web.type('nc -zv cache 6379')
  await web.says(/port 6379 \(tcp\) failed: Connection refused/)
  cache.type('nc -lv 6379')
  await cache.says(/Listening on 0.0.0.0 6379/)
  web.type('nc -zv cache 6379')
  await web.says(/Connection to \S+ 6379 port \[tcp\/\*\] succeeded!/)
  await cache.says(/Connection received on 172\.30\.0\.\d+/)
  web.type('nc -lv 8080')
  await web.says(/Listening on 0.0.0.0 8080/)
  cache.type('nc -zv web 8080')
  await cache.says(/Connection to \S+ 8080 port \[tcp\/\*\] succeeded!/)
  expect(await web.says(/Connection received on \S+(?=\s)/)).toMatch(/172\.30\.0\.\d+$/)
})

test.runIf(onPostgres)('a rule written at one server applies to guests of both', async () => {
  const web = await consoleOf(first, 'web')
  const cache = await consoleOf(second, 'cache')
  const inVpc = { ...query, vpc: 'default' }
  await second.admin.call('vpc_firewall_rules_update', { query: inVpc, body: { rules: [] } })
  web.type('nc -zv -w 0.1 cache 22')
  await web.says(/port 22 \(tcp\) failed: Connection timed out/)
  cache.type('nc -zv -w 0.1 web 22')
  expect(await cache.says(/failed: .+(?=\r)/)).toBe('failed: Connection timed out')
})
