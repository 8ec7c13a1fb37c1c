/** Taken names: the database refuses them, and the answer is the contract's. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { attempt } from '../../src/kernel/attempt.ts'
import type { Db } from '../../src/kernel/db/database.ts'
import { storedTables } from '../../src/kernel/db/tables.ts'
import { ApiError } from '../../src/kernel/errors.ts'
import { createOutages } from '../../src/kernel/outages.ts'
import { named } from '../../src/kernel/search/name-key.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { done, outcomes, plan, start, targets } from '../support/jobs.ts'
import { blankDisk, detachedDisk } from '../support/things.ts'

let server: TestServer
let project: { id: string }
beforeAll(async () => {
  server = await startTestServer()
  project = await server.admin.call('project_create', { body: { name: 'web', description: '' } })
})
afterAll(() => server.close())

const times = { time_created: '', time_modified: '', time_deleted: null }
const identity = (name: string) => ({
  id: crypto.randomUUID(),
  ...named(name),
  description: '',
  ...times,
})

/** Runs work twice, each in its own transaction, and counts the attempts of the second. */
async function twice(work: Parameters<typeof server.host.controlPlane.database.transaction>[0]) {
  const { transaction } = server.host.controlPlane.database
  await transaction(work)
  let attempts = 0
  const error = await transaction(async (tx) => {
    attempts++
    await work(tx)
  }).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ApiError)
  return { attempts, ...(error as ApiError).template }
}

describe('a duplicate name in an operation without its own check', () => {
  test('takes one attempt and gives the error of the contract, on insert', async () => {
    const { attempts, status, error_code, message } = await twice(async (tx) => {
      await tx
        .insertInto('project')
        .values({ ...identity('twin'), silo_id: server.siloId })
        .execute()
    })
    expect([attempts, status, error_code, message]).toEqual([
      1,
      400,
      'ObjectAlreadyExists',
      'already exists: project "twin"',
    ])
  })

  test('does the same on update', async () => {
    const other = identity('other')
    await server.db
      .insertInto('project')
      .values({ ...other, silo_id: server.siloId })
      .execute()
    const { transaction } = server.host.controlPlane.database
    const rename = transaction(async (tx) => {
      await tx.updateTable('project').set({ name: 'web' }).where('id', '=', other.id).execute()
    })
    await expect(rename).rejects.toThrow('already exists: project "web"')
  })

  test.each(['affinity', 'anti_affinity'] as const)('of an %s group is refused', async (kind) => {
    const { attempts, message } = await twice(async (tx) => {
      await tx
        .insertInto('affinity_group')
        .values({
          ...identity('together'),
          project_id: project.id,
          kind,
          policy: 'allow',
          failure_domain: 'sled',
        })
        .execute()
    })
    const type = `${kind.replace('_', '-')}-group`
    expect([attempts, message]).toEqual([1, `already exists: ${type} "together"`])
  })

  test('of a user is refused by another column', async () => {
    const { message } = await twice(async (tx) => {
      await tx
        .insertInto('silo_user')
        .values({
          id: crypto.randomUUID(),
          silo_id: server.siloId,
          external_id: 'twin',
          display_name: 'Twin',
          password_hash: null,
          ...times,
        })
        .execute()
    })
    expect(message).toBe('already exists: silo-user "twin"')
  })
})

describe('a taken name in a transaction with other work', () => {
  const insert = (db: Db, name: string) =>
    db
      .insertInto('project')
      .values({ ...identity(name), silo_id: server.siloId })
      .execute()
  const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name)

  test('takes back its own part, and the rest goes on', async () => {
    const { database } = server.host.controlPlane
    const outages = createOutages({
      outageOf: () => undefined,
      read: async () => {},
      write: async () => {},
      check: undefined,
      clock: () => new Date(),
      reserve: undefined,
      log: () => {},
      over: () => {},
    })
    const refusals: (string | undefined)[] = []
    const trying = async (tx: Db, work: () => Promise<unknown>) => {
      const attempted = await attempt({ database, outages }, tx, work)
      refusals.push('value' in attempted ? undefined : attempted.refusal?.message)
    }
    await database.transaction(async (tx) => {
      await trying(tx, () => insert(tx, 'part-1'))
      await trying(tx, async () => {
        await insert(tx, 'part-2')
        // A part of a part.
        await trying(tx, () => insert(tx, 'part-1'))
        await insert(tx, 'part-3')
        await insert(tx, 'part-2')
      })
      await insert(tx, 'part-4')
    })
    expect(refusals).toEqual([
      undefined,
      'already exists: project "part-1"',
      'already exists: project "part-2"',
    ])
    const left = server.db.selectFrom('project').select('name').where('name', 'like', 'part-%')
    expect(namesOf(await left.orderBy('name').execute())).toEqual(['part-1', 'part-4'])
  })

  test('fails one item of a job', async () => {
    const disks = await Promise.all(
      ['a', 'b', 'c'].map((name) => detachedDisk(server.admin, { project: 'web' }, `item-${name}`)),
    )
    const ids = targets(...disks.map(({ id }) => id))
    const job = await plan(server.admin, 'snapshot', 'disk', ids, 'web')
    const made = server.db.updateTable('job_item').where('job_id', '=', job.id)
    await made.set({ makes: 'same' }).where('position', '<', 2).execute()
    await start(server.admin, job)
    await done(server.admin, job)
    expect(await outcomes(server.admin, job)).toEqual([
      'snapshot item-a: succeeded',
      'snapshot item-b: failed, already exists: snapshot "same"',
      'snapshot item-c: succeeded',
    ])
  })
})

test('of concurrent creates of a disk with one name, one succeeds', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const response = await server.admin.fetch('/v1/disks?project=web', {
        method: 'POST',
        body: JSON.stringify(blankDisk('contested')),
        headers: { 'content-type': 'application/json' },
      })
      const { message } = (await response.json()) as { message?: string }
      return `${response.status} ${message ?? ''}`
    }),
  )
  expect(answers.sort()).toEqual([
    '201 ',
    ...Array.from({ length: 11 }, () => '400 already exists: disk "contested"'),
  ])
})

test('every unique index of names declares the noun for its things', async () => {
  const named = [
    'name',
    'name_key',
    'external_id',
    'user_name_key',
    'display_name',
    'display_name_key',
    'digest',
    'path',
    'source',
  ]
  // The loser of a race for these gets the result of the winner, and recovery codes are random.
  const unsaid =
    /^(update_repository_name|sqlite_autoindex_(update_artifact|saml_spent|recovery_code|user_identity)_1|(update_artifact|saml_spent|recovery_code|user_identity)_pkey)$/
  const { rows } = await (
    inject('dialect') === 'sqlite'
      ? sql<{ name: string }>`
          select list.name from sqlite_schema as kind, pragma_index_list(kind.name) as list
          where kind.type = 'table' and list."unique" = 1 and exists (
            select 1 from pragma_index_info(list.name) as part
            where part.name in (${sql.join(named)}))`
      : sql<{ name: string }>`
          select class.relname as name from pg_index join pg_class as class on class.oid = indexrelid
          where indisunique and exists (
            select 1 from pg_attribute where attrelid = indexrelid
              and attname in (${sql.join(named)}))
            and relnamespace = 'public'::regnamespace`
  ).execute(server.db)
  expect(
    [...storedTables().values()].flatMap(({ names }) => Object.keys(names ?? {})).sort(),
  ).toEqual(
    rows
      .map(({ name }) => name)
      .filter((name) => !name.includes('kysely_') && !unsaid.test(name))
      .sort(),
  )
})
