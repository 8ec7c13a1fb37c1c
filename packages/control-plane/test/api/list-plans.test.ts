/** Lists and overviews at scale: the query plans of the databases. */
import { operationTable } from '@steading/api'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { compose } from '../../src/kernel/compose.ts'
import type { Db } from '../../src/kernel/db/database.ts'
import { storedKinds } from '../../src/kernel/kinds.ts'
import { alongIndex } from '../../src/kernel/list.ts'
import { listOf, matching } from '../../src/kernel/lists/matching.ts'
import { declarations } from '../../src/resources/index.ts'
import { instanceCounts } from '../../src/resources/observability/briefings/briefing.ts'
import {
  instancesOfUnits,
  instancesPerUnit,
} from '../../src/resources/observability/lights/lights.ts'
import { countsIn } from '../../src/resources/observability/overview/inventory.ts'
import {
  logOfFleet,
  logOfProject,
  logOfSilo,
} from '../../src/resources/observability/audit-log/readable-log.ts'
import { entriesSince } from '../../src/resources/observability/overview/timeline.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'

compose(declarations)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** Every searchable kind of thing. */
const lists = storedKinds()
  .filter(({ search }) => search)
  .map(({ kind }) => listOf(kind))

/** The database's plan; on PostgreSQL, it must not sort if it can avoid it. */
const planOf = (query: { compile: () => CompiledQuery }): Promise<string> =>
  server.db.transaction().execute(async (tx: Db) => {
    const { sql, parameters } = query.compile()
    const run = async (text: string, values: readonly unknown[] = []) =>
      (await tx.executeQuery<Record<string, string>>(CompiledQuery.raw(text, [...values]))).rows
    if (inject('dialect') === 'sqlite') {
      return (await run(`explain query plan ${sql}`, parameters))
        .map(({ detail }) => detail)
        .join('\n')
    }
    for (const way of ['sort', 'incremental_sort', 'seqscan', 'bitmapscan']) {
      await run(`set local enable_${way} = off`)
    }
    const rows = await run(`explain ${sql}`, parameters)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })

const parentId = crypto.randomUUID()
const start = { limit: 50, scan: {} }

describe.each(lists)('$kind', (list) => {
  const { scan, query } = operationTable[list.operation]

  test.each(scan!.modes)('are read in the order of %s', async (sortBy) => {
    const isNumber = list.sorts[sortBy.replace(/_(a|de)scending$/, '')]?.kind === 'number'
    const after = { lastSeen: isNumber ? '5' : 'x', lastId: parentId }
    for (const page of [
      { ...start, sortBy },
      { ...start, sortBy, ...after },
    ]) {
      const plan = await planOf(alongIndex(server.db, list, parentId, page))
      expect(plan).toMatch(new RegExp(`Index Scan|SEARCH ${list.table} USING INDEX`))
      expect(plan).not.toMatch(/\bSort\b|TEMP B-TREE/)
    }
  })

  test('are searched with a covering index', async () => {
    const found = matching(server.db, list, parentId, { search: 'web' }).select('id')
    const name = inject('dialect') === 'sqlite' ? /COVERING INDEX \w+_search/ : /\w+_search/
    expect(await planOf(found)).toMatch(name)
  })

  test('are found by the index of their tags, or looked up one by one', async () => {
    const query = { tag: 'env:prod' }
    const few = await planOf(matching(server.db, list, parentId, query).select('id'))
    expect(few).toMatch(/tag_by_list/)
    const many = { ...start, sortBy: scan!.modes[0]!, scan: query }
    const plan = await planOf(alongIndex(server.db, list, parentId, many))
    expect(plan).toMatch(/SEARCH tag USING INDEX sqlite_autoindex_tag_1|tag_pkey/)
    expect(plan).not.toMatch(/\bSort\b|TEMP B-TREE/)
  })

  test('have all filters of the contract', () => {
    const paging = [
      'limit',
      'page_token',
      'sort_by',
      'group_by',
      'search',
      'count_by',
      'with',
      'project',
      'vpc',
      'router',
      'silo',
    ]
    const parameters = Object.keys(query!).filter((name) => !paging.includes(name))
    expect(Object.keys(list.filters).sort()).toEqual(parameters.sort())
  })
})

describe('overviews', () => {
  const scan = /^SCAN \w+$|Seq Scan/m

  test('count along indexes', async () => {
    const ids = [parentId, crypto.randomUUID()]
    for (const counts of [countsIn(ids), instanceCounts(ids)]) {
      expect(await planOf({ compile: () => counts.compile(server.db) })).not.toMatch(scan)
    }
  })

  test.each(['sled', 'project'] as const)(
    'read the lights of a %s along an index',
    async (unit) => {
      const ids = [parentId, crypto.randomUUID()]
      for (const lights of [instancesPerUnit(unit, ids), instancesOfUnits(unit, ids, 100)]) {
        const plan = await planOf({ compile: () => lights.compile(server.db) })
        expect(plan).toMatch(unit === 'sled' ? /instance_sled/ : /instance_\w+/)
        // The numbered rows are scanned, and no table.
        expect(plan).not.toMatch(/^SCAN (?!placed)\w+$|Seq Scan/m)
      }
    },
  )

  test('read the newest changes along an index', async () => {
    const user = {
      userId: parentId,
      displayName: '',
      siloId: server.siloId,
      siloName: 'main',
      fleetRoles: [],
    }
    const siloAdmin = { ...user, siloRoles: ['admin' as const], projectRoles: new Map() }
    const member = {
      ...user,
      siloRoles: [],
      projectRoles: new Map([[parentId, ['viewer' as const]]]),
    }
    const logs = [
      logOfFleet,
      logOfSilo(siloAdmin, []),
      logOfSilo(member, [parentId]),
      logOfProject(member, parentId),
    ]
    for (const log of logs) {
      const entries = entriesSince(server, log, 0)
        .selectAll()
        .orderBy('time_completed', 'desc')
        .orderBy('id', 'desc')
        .limit(20)
      const plan = await planOf(entries)
      expect(plan).toMatch(/Index Scan|SEARCH audit_log USING INDEX/)
      expect(plan).not.toMatch(/\bSort\b|TEMP B-TREE/)
      expect(plan).not.toMatch(scan)
    }
  })
})
