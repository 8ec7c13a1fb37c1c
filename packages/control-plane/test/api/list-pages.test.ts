/**
 * Lists at scale: the pages of any search, filter and sort, compared with the test's own selection
 * from all rows.
 */
import { type OperationId, operationTable, type Wire } from '@steading/api'
import {
  affinityPolicies,
  affinityTypes,
  diskStates,
  instanceStates,
  snapshotConsistencies,
  snapshotStates,
} from '@steading/api/rules'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/kernel/db/schema.ts'
import type { Caller } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import {
  diskRow,
  floatingIpRow,
  groupRow,
  imageRow,
  instanceRow,
  projectRow,
  snapshotRow,
  sshKeyRow,
  storeRows,
} from '../support/many.ts'
import { addPool } from '../support/networks.ts'
import { long } from '../support/long.ts'

let server: TestServer
/** The only things in their silo. */
let owner: { id: string; siloId: string; caller: Caller }
let projectId: string
const pools: Record<string, string> = {}

beforeAll(async () => {
  server = await startTestServer()
  const siloId = await server.createSilo('empty')
  owner = { ...(await server.createUser('owner', { silo: 'admin' }, siloId)), siloId }
  projectId = crypto.randomUUID()
  await storeRows(server.db, 'project', [
    projectRow(server.siloId, 'web', { id: projectId }),
    projectRow(server.siloId, 'other'),
  ])
  for (const name of ['front', 'back']) {
    pools[name] = await addPool(server.db, name, { first: '198.51.0.0', last: '198.51.255.255' })
  }
})
afterAll(() => server.close())

type Values = Record<string, unknown>
type AnyRow = Values & { id: string; name: string; description: string }
type Query = Record<string, string | number | undefined>

interface ListCase {
  operation: Extract<OperationId, `${string}_search`>
  table: keyof Database
  /** Selects the list among those of the operation. */
  query?: Query
  caller?: () => Caller
  row: (name: string, values: never, index: number) => object
  /** Few values, so that many rows share them. */
  values: Record<string, readonly unknown[]>
  /** Values that exclude a row from the list. */
  outside: () => Values[]
  /** Column of a sort, if it has another name. */
  stored?: Record<string, string>
  /** Further texts that a search covers. */
  searched?: string[]
  filters?: Record<string, { words: readonly string[]; of: (row: AnyRow) => unknown }>
}

const times = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']
const words = ['', 'web', 'Web', '100%', 'a_b', '\\', 'ä']
/** Prefixes of names, with numbers to sort by. */
const beginnings = ['i', 'i-', 'i0', 'i00', 'i1', 'i9-00', 'i10-0', 'ia']
const sizes = [2 ** 30, 2 ** 31, 2 ** 40]
const described = { description: words, time_created: times }
const gone = { time_deleted: times[0] }
const inProject = { query: { project: 'web' } }
const elsewhere = () => ({ project_id: crypto.randomUUID() })
const attached = crypto.randomUUID()

const images = {
  operation: 'image_search',
  table: 'image',
  values: {
    ...described,
    os: ['debian', 'Plan 9', '100%'],
    version: ['', '13', '9'],
    size: sizes,
  },
  searched: ['os', 'version'],
} as const satisfies Partial<ListCase>

const groups = (kind: 'affinity' | 'anti_affinity', other: typeof kind): ListCase => ({
  operation: `${kind}_group_search`,
  table: 'affinity_group',
  ...inProject,
  row: (name, values) => groupRow(projectId, kind, name, values),
  values: { ...described, policy: affinityPolicies },
  outside: () => [gone, elsewhere(), { kind: other }],
  filters: {
    type: { words: affinityTypes, of: () => kind.replace('_', '-') },
    policy: { words: affinityPolicies, of: (row) => row.policy },
  },
})

const cases: Record<string, ListCase> = {
  instances: {
    operation: 'instance_search',
    table: 'instance',
    ...inProject,
    row: (name, values) => instanceRow(projectId, name, values),
    values: {
      ...described,
      run_state: instanceStates,
      time_run_state_updated: times,
      ncpus: [1, 2, 10],
      memory: sizes,
      time_last_auto_restarted: [null, ...times],
    },
    outside: () => [gone, elsewhere()],
    stored: { state: 'run_state' },
    filters: { state: { words: instanceStates, of: (row) => row.run_state } },
  },
  disks: {
    operation: 'disk_search',
    table: 'disk',
    ...inProject,
    row: (name, values) => diskRow(projectId, name, values),
    values: {
      ...described,
      // The others are shown with an instance, which these rows do not have.
      state: diskStates.filter((state) => !/tach/.test(state) || state === 'detached'),
      disk_type: ['distributed', 'local'],
      size: sizes,
    },
    outside: () => [gone, elsewhere()],
    stored: { type: 'disk_type' },
    filters: {
      state: { words: diskStates, of: (row) => row.state },
      type: { words: ['distributed', 'local'], of: (row) => row.disk_type },
    },
  },
  snapshots: {
    operation: 'snapshot_search',
    table: 'snapshot',
    ...inProject,
    row: (name, values) => snapshotRow(projectId, name, values),
    values: {
      ...described,
      state: snapshotStates,
      consistency: [...snapshotConsistencies, null],
      size: sizes,
    },
    outside: () => [gone, elsewhere()],
    filters: {
      state: { words: snapshotStates, of: (row) => row.state },
      consistency: { words: snapshotConsistencies, of: (row) => row.consistency },
    },
  },
  'images of a project': {
    ...images,
    ...inProject,
    row: (name, values) => imageRow(server.siloId, projectId, name, values),
    outside: () => [gone, elsewhere(), { project_id: null }],
  },
  'images of a silo': {
    ...images,
    caller: () => owner.caller,
    row: (name, values) => imageRow(owner.siloId, null, name, values),
    outside: () => [gone, { project_id: projectId }, { silo_id: server.siloId }],
  },
  'floating IPs': {
    operation: 'floating_ip_search',
    table: 'external_ip',
    ...inProject,
    row: (name, values: { pool: string }, index) => {
      const { pool, ...rest } = values
      return floatingIpRow(projectId, pools[pool]!, 250 + index, name, rest)
    },
    values: { ...described, instance_id: [null, attached], pool: ['front', 'back'] },
    outside: () => [elsewhere(), { kind: 'ephemeral', name: null, description: null }],
    stored: { ip: 'ip_key' },
    searched: ['ip'],
    filters: {
      attached: { words: ['yes', 'no'], of: (row) => (row.instance_id ? 'yes' : 'no') },
      pool: {
        words: ['front', 'back', 'nobodys'],
        of: (row) => (row.ip_pool_id === pools.front ? 'front' : 'back'),
      },
    },
  },
  'affinity groups': groups('affinity', 'anti_affinity'),
  'anti-affinity groups': groups('anti_affinity', 'affinity'),
  projects: {
    operation: 'project_search',
    table: 'project',
    caller: () => owner.caller,
    row: (name, values) => projectRow(owner.siloId, name, values),
    values: described,
    outside: () => [gone, { silo_id: crypto.randomUUID() }],
  },
  'SSH keys': {
    operation: 'current_user_ssh_key_search',
    table: 'ssh_key',
    caller: () => owner.caller,
    row: (name, values) => sshKeyRow(owner.id, name, values),
    values: described,
    outside: () => [gone, { silo_user_id: crypto.randomUUID() }],
  },
}

const lower = (text: unknown) => String(text).replace(/[A-Z]/g, (letter) => letter.toLowerCase())
const compare = (a: unknown, b: unknown) => (a === b ? 0 : (a ?? '')! < (b ?? '')! ? -1 : 1)

const zeros = /(?<!\d)0+(?=\d)/g
const value = (text: string) => (/\d/.test(text) ? BigInt(text) : text)

/** Letters by code, numbers by value, and names without leading zeros first. */
function compareNaturally(a: string, b: string): number {
  const [some, others] = [a, b].map((name) => name.match(/\d+|\D/g) ?? []) as [
    RegExpMatchArray,
    RegExpMatchArray,
  ]
  for (const [index, part] of some.entries()) {
    const other = others[index]
    if (other === undefined) return 1
    const numbers = /\d/.test(part) && /\d/.test(other)
    const order = numbers ? compare(value(part), value(other)) : compare(part[0], other[0])
    if (order !== 0) return order
  }
  if (some.length < others.length) return -1
  const padded = (name: string) => Number(name.replace(zeros, '') !== name)
  return padded(a) - padded(b) || compare(a, b)
}

/** All items, page by page, following only the tokens. */
async function walk({ operation, caller }: ListCase, query: Query, limit: number) {
  const ask = (asked: Query) =>
    (caller?.() ?? server.admin).call(operation, { query: asked as never }) as Promise<
      Wire.Operations['project_search']['result']
    >
  const names: string[] = []
  const totals = new Set<unknown>()
  let page = await ask({ ...query, limit })
  for (;;) {
    names.push(...page.items.map(({ name }) => name))
    totals.add(page.total)
    expect(page.items.length).toBeLessThanOrEqual(limit)
    expect(page.items.length > 0).toBe(Boolean(page.next_page))
    if (!page.next_page) return { names, totals: [...totals] }
    page = await ask({ page_token: page.next_page, limit })
  }
}

/** The counts of a list for the words of a filter. */
async function countsOf({ operation, caller }: ListCase, query: Query, count_by: string) {
  const { counts } = (await (caller?.() ?? server.admin).call(operation, {
    query: { ...query, count_by, limit: 1 } as never,
  })) as Wire.Operations['disk_search']['result']
  expect(counts).toBeDefined()
  return Object.fromEntries(counts!.map(({ word, count }) => [word, count]))
}

function tally(words: unknown[]): Map<unknown, number> {
  const counts = new Map<unknown, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

describe('any search, filter and sort, in pages of any size, has each row once', () => {
  test.each(Object.entries(cases))('%s', async (_, list) => {
    const { operation, table, query, stored = {}, searched = [], filters = {} } = list
    const outside = list.outside()
    const values = fc.record(
      Object.fromEntries(
        Object.entries(list.values).map(([column, some]) => [column, fc.constantFrom(...some)]),
      ),
    )
    const ask = fc.record(
      {
        sort_by: fc.constantFrom(...operationTable[operation].scan!.modes),
        search: fc.constantFrom(...words, 'WEB', 'I', 'i1', '-1', '0-1', '%', '_', '98.51', 'PLAN'),
        ...Object.fromEntries(
          Object.entries(filters).map(([name, filter]) => [
            name,
            fc.subarray([...filter.words], { minLength: 1 }),
          ]),
        ),
      },
      { requiredKeys: ['sort_by'] },
    )
    const wantedOf = (rows: AnyRow[], asked: { sort_by: string; search?: string } & Values) => {
      const [, by, direction] = /^(.*)_(ascending|descending)$/.exec(asked.sort_by)!
      const column = stored[by!] ?? by!
      const sign = direction === 'ascending' ? 1 : -1
      const text = lower(asked.search ?? '')
      const texts = ['name', 'description', ...searched]
      // One or two letters must be the beginning of the name.
      const has = (row: AnyRow) =>
        [...text].length < 3
          ? row.name.startsWith(text)
          : texts.some((column) => lower(row[column]).includes(text))
      return rows
        .filter(
          (row) =>
            has(row) &&
            Object.entries(filters).every(
              ([name, { of }]) => (asked[name] as unknown[] | undefined)?.includes(of(row)) ?? true,
            ),
        )
        .sort((a, b) => {
          if (by === 'natural_name') return sign * compareNaturally(a.name, b.name)
          return sign * (compare(a[column], b[column]) || compare(a.id, b.id))
        })
        .map(({ name }) => name)
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(values, fc.nat(outside.length), fc.constantFrom(...beginnings)), {
          maxLength: 12,
        }),
        fc.array(fc.tuple(ask, fc.integer({ min: 1, max: 13 })), { minLength: 1, maxLength: 4 }),
        async (all, asks) => {
          const rows = all.map(([some, where, begin], index) => {
            const name = `${begin}${index}-${all.length - index}`
            const row = list.row(name, some as never, index) as AnyRow
            return where === 0 ? row : { ...row, ...outside[where - 1] }
          })
          const ids = rows.map(({ id }) => id)
          await storeRows(server.db, table, rows as never[])
          try {
            const inside = rows.filter((_row, index) => all[index]![1] === 0)
            for (const [asked, limit] of asks) {
              const wanted = wantedOf(inside, asked as never)
              const { names, totals } = await walk(list, { ...query, ...textOf(asked) }, limit)
              expect(names).toEqual(wanted)
              expect(totals).toEqual([wanted.length])
              for (const [name, { of }] of Object.entries(filters)) {
                const others = wantedOf(inside, { ...asked, [name]: undefined } as never)
                // A row without a word is counted for none.
                const words = others.flatMap(
                  (its) => of(inside.find((row) => row.name === its)!) ?? [],
                )
                const counted = await countsOf(list, { ...query, ...textOf(asked) }, name)
                expect(counted).toEqual(Object.fromEntries(tally(words)))
              }
            }
          } finally {
            if (ids.length > 0) {
              await server.db
                .deleteFrom(table as 'disk')
                .where('id', 'in', ids)
                .execute()
            }
          }
        },
      ),
      { numRuns: long ? 15 : 5 },
    )
  })
})

/** A query as sent by clients: several words of a filter separated by commas. */
const textOf = (asked: Values): Query =>
  Object.fromEntries(
    Object.entries(asked).map(([name, value]) => [
      name,
      value === undefined ? undefined : String(value),
    ]),
  )

/** More rows than are sorted at once: such lists are read along the indexes of their sorts. */
test('also in long lists', async () => {
  const list = cases.instances!
  const rows = Array.from({ length: 1500 }, (_, index) =>
    instanceRow(projectId, `i${index}`, {
      description: words[index % words.length],
      run_state: instanceStates[index % 3],
      time_created: times[index % 2],
      ncpus: 1 + (index % 4),
      time_last_auto_restarted: [null, ...times][index % 3],
    }),
  )
  await storeRows(server.db, 'instance', rows)
  for (const [sort_by, column] of [
    ['state', 'run_state'],
    ['ncpus', 'ncpus'],
    ['description', 'description'],
    ['time_last_auto_restarted', 'time_last_auto_restarted'],
  ] as const) {
    for (const [direction, sign] of [
      ['ascending', 1],
      ['descending', -1],
    ] as const) {
      const asked = { ...list.query, sort_by: `${sort_by}_${direction}`, search: 'I1' }
      const wanted = (from: typeof rows) =>
        from
          .toSorted((a, b) => sign * (compare(a[column], b[column]) || compare(a.id, b.id)))
          .map(({ name }) => name)
      const few = await walk(list, asked, 300)
      expect(few.names).toEqual(wanted(rows.filter(({ name }) => name.includes('i1'))))
      const many = await walk(list, { ...asked, search: 'i' }, 700)
      expect(many).toEqual({ names: wanted(rows), totals: [rows.length] })
      const states = instanceStates.slice(0, 3)
      const filtered = { ...asked, search: undefined, state: states.slice(1).join() }
      expect(await walk(list, filtered, 999)).toEqual({
        names: wanted(rows.filter(({ run_state }) => run_state !== states[0])),
        totals: [1000],
      })
    }
  }
})
