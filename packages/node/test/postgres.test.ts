import { Kysely, sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { postgresMissing } from '../../control-plane/test/support/postgres.ts'
import setup from '../../control-plane/test/support/postgres-setup.ts'
import { openPostgres } from '../src/postgres.ts'

type Tables = Record<'thing', { id: number; count: number }>

describe.skipIf(postgresMissing())('PostgreSQL', () => {
  let url = ''
  let tearDown: () => Promise<void>
  let host: Awaited<ReturnType<typeof openPostgres>>
  let db: Kysely<Tables>

  beforeAll(async () => {
    const provide = (_: string, value: string) => void (url = value)
    tearDown = await setup({ provide } as Parameters<typeof setup>[0])
    host = await openPostgres(url)
    db = new Kysely<Tables>({ dialect: host.kysely })
    await sql`create table thing (id int primary key, count int)`.execute(db)
    await sql`insert into thing values (1, 0), (2, 0)`.execute(db)
  })

  afterAll(async () => {
    await db.destroy()
    await tearDown()
  })

  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => Promise.reject(new Error('it did not fail')),
      (error: unknown) => error,
    )

  test('large integers and sums are numbers', async () => {
    const { rows } = await sql`
      select 5000000000::int8 as bytes, sum(n) as sum, count(*) as count
      from (values (1::bigint), (2)) as t (n)`.execute(db)
    expect(rows).toEqual([{ bytes: 5_000_000_000, sum: 3, count: 2 }])
  })

  test('a transaction that lost against another reports a conflict', async () => {
    // Each reads rows that the other writes, and both have read before either writes.
    const read = [1, 2].map(() => Promise.withResolvers<void>())
    const bothHaveRead = Promise.all(read.map(({ promise }) => promise))
    const swap = (from: number, to: number) =>
      db
        .transaction()
        .setIsolationLevel('serializable')
        .execute(async (tx) => {
          await tx.selectFrom('thing').selectAll().where('id', '=', from).execute()
          read[from - 1]!.resolve()
          await bothHaveRead
          await tx.updateTable('thing').set({ count: 1 }).where('id', '=', to).execute()
        })
    const results = await Promise.allSettled([swap(1, 2), swap(2, 1)])
    const reasons = results.flatMap((r) => (r.status === 'rejected' ? [r.reason as unknown] : []))
    expect(reasons.map(host.isConflict)).toEqual([true])
  })

  test('a duplicate key is not a conflict, but names its index', async () => {
    const insert = (on: Kysely<Tables>) =>
      on.insertInto('thing').values({ id: 1, count: 0 }).execute()
    const taken = await failure(insert(db))
    expect([host.isConflict(taken), host.violatedIndex(taken)]).toEqual([false, 'thing_pkey'])
    // If the work continues nevertheless, nothing of it is committed.
    const swallowing = db.transaction().execute((tx) => insert(tx).catch(() => {}))
    expect(host.isConflict(await failure(swallowing))).toBe(true)
  })

  test('a column added by another server does not break prepared statements', async () => {
    const read = (on: Kysely<Tables>) =>
      on.selectFrom('thing').selectAll().where('id', '=', 1).executeTakeFirst()
    for (let use = 0; use < 5; use++) await read(db)
    await sql`alter table thing add column first int`.execute(db)
    expect(await read(db)).toHaveProperty('first')
    const adding = db.transaction().execute(async (tx) => {
      for (let use = 0; use < 5; use++) await read(tx)
      await sql`alter table thing add column second int`.execute(tx)
      await read(tx)
    })
    // The statement has aborted this transaction, which is retried.
    expect(host.isConflict(await failure(adding))).toBe(true)
    expect(await read(db)).not.toHaveProperty('second')
    await sql`alter table thing drop column first`.execute(db)
  })

  test('programming errors are not conflicts', async () => {
    expect(host.isConflict(await failure(sql`select nothing`.execute(db)))).toBe(false)
    expect(host.isConflict(undefined)).toBe(false)
    expect(host.violatedIndex(undefined)).toBeUndefined()
  })

  test('a connection lost in a transaction is an outage, and replaced', async () => {
    const cut = db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      // Terminated from another connection, between two queries.
      await sql`select pg_terminate_backend(${rows[0]!.pid}, 5000)`.execute(db)
      await tx.selectFrom('thing').select('id').execute()
    })
    expect(host.outageOf!(await failure(cut))).toBe('unreachable')
    expect(await db.selectFrom('thing').select('id').execute()).toHaveLength(2)
  })

  test('an unresponsive server is an outage, and its connection is closed', async () => {
    const impatient = await openPostgres(url, 300)
    const other = new Kysely<Tables>({ dialect: impatient.kysely })
    // Enough to exhaust the connections if they were not closed.
    const slow = Array.from({ length: 20 }, () => failure(sql`select pg_sleep(20)`.execute(other)))
    expect(new Set((await Promise.all(slow)).map(impatient.outageOf!))).toEqual(
      new Set(['unreachable']),
    )
    expect(await other.selectFrom('thing').select('id').execute()).toHaveLength(2)
    const inside = other.transaction().execute((tx) => sql`select pg_sleep(20)`.execute(tx))
    expect(impatient.outageOf!(await failure(inside))).toBe('unreachable')
    expect(await other.selectFrom('thing').select('id').execute()).toHaveLength(2)
    await other.destroy()
  })

  test('a server with a full disk is an outage of another kind', async () => {
    const full = sql`do $$ begin raise exception using errcode = 'disk_full'; end $$`
    expect(host.outageOf!(await failure(full.execute(db)))).toBe('full')
    for (const code of ['data_corrupted', 'index_corrupted', 'io_error']) {
      const damaged = sql.raw(`do $$ begin raise exception using errcode = '${code}'; end $$`)
      expect(host.outageOf!(await failure(damaged.execute(db)))).toBe('damaged')
    }
  })

  test('an unreachable server is an outage', async () => {
    const nowhere = new URL(url)
    nowhere.port = '1'
    const refused = await failure(openPostgres(nowhere.href))
    expect(refused).toMatchObject({ name: 'StartError' })
    expect(host.outageOf!((refused as Error).cause)).toBe('unreachable')
    expect(host.outageOf!(await failure(sql`select nothing`.execute(db)))).toBe(undefined)
    expect(host.outageOf!(undefined)).toBe(undefined)
  })

  test('lost connections are replaced', async () => {
    const admin = new Client({ connectionString: url })
    await admin.connect()
    const ours = "from pg_stat_activity where application_name = 'steading'"
    await admin.query(`select pg_terminate_backend(pid) ${ours}`)
    await vi.waitFor(async () => expect((await admin.query(`select 1 ${ours}`)).rowCount).toBe(0), {
      timeout: 120_000,
    })
    await admin.end()
    expect(await db.selectFrom('thing').select('id').execute()).toHaveLength(2)
  })
})
