/** Entries of refused calls that the audit log gets after an outage of the database, or misses. */
import { operationTable } from '@steading/api'
import { expect, onTestFinished, test } from 'vitest'
import { entryOf } from '../src/kernel/audit/entry.ts'
import { createLateEntries, missesRequest } from '../src/kernel/audit/late-entries.ts'
import { createAuditContext } from '../src/kernel/audit/audit-context.ts'
import type { OpenDatabase } from '../src/kernel/db/database.ts'
import { fail } from '../src/kernel/errors.ts'
import { openMigrated } from './support/migrated.ts'

const refused = (requestId: string) =>
  entryOf({
    called: { id: 'login_local', operation: operationTable.login_local },
    origin: { requestId, uri: '/v1/login/main/local', sourceIp: '', userAgent: null },
    author: undefined,
    args: {},
    audit: createAuditContext(),
    started: new Date(),
    completed: new Date(),
    error: fail.unavailable().template,
  })

test('an entry is there once, also if the connection was cut after its commit', async () => {
  const database = await openMigrated()
  onTestFinished(() => database.close())
  let isCut = true
  const concurrently: OpenDatabase['concurrently'] = async (work) => {
    const result = await database.concurrently(work)
    if (isCut) throw new Error('the connection was cut')
    return result
  }
  const log: string[] = []
  const late = createLateEntries({ concurrently }, (message) => log.push(message))
  expect(late.keep(refused('one'))).toBe(true)
  await late.write()
  isCut = false
  expect(late.keep(refused('two'))).toBe(true)
  await late.stop()
  const rows = await database.db
    .selectFrom('audit_log')
    .select('request_id')
    .orderBy('request_id')
    .execute()
  expect(rows).toEqual([{ request_id: 'one' }, { request_id: 'two' }])
  expect(log).toEqual([
    expect.stringContaining('are lost if the server is killed'),
    'writing to the audit log failed',
    expect.stringMatching(/during the outage: 2$/),
  ])
})

test('a server that ends during an outage logs each request that the audit log misses', async () => {
  const database = await openMigrated()
  const log: string[] = []
  const late = createLateEntries(database, (message) => log.push(message))
  expect(late.keep(refused('written'))).toBe(true)
  await late.write()
  await database.close()
  for (const id of ['first', 'second']) expect(late.keep(refused(id))).toBe(true)
  await late.stop()
  expect(log.slice(-3)).toEqual([
    'writing to the audit log failed',
    missesRequest('first'),
    missesRequest('second'),
  ])
})
