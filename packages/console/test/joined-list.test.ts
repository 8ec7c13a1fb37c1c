/** A list of several kinds contains each row once, in the order of its sort. */
import type { MethodName } from '@steading/api/client'
import { nameKey } from '@steading/api/rules'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../src/data/errors.ts'
import { type Page, readJoined } from '../src/data/joined-list.ts'

type Group = { name: string; policy: string }

/**
 * The list of one kind as answered by the API; its page tokens are the number of preceding
 * rows.
 */
const listOf = (rows: Group[], sortBy: string, limit: number) => {
  const sorted = rows.toSorted((a, b) => compare(sortBy, a, b))
  return (token = '0'): Promise<Page<Group>> => {
    const start = Number(token)
    const items = sorted.slice(start, start + limit)
    const nextPage = items.length > 0 ? String(start + items.length) : null
    return Promise.resolve({ items, nextPage, total: rows.length })
  }
}

function compare(sortBy: string, a: Group, b: Group): number {
  const of = (row: Group) => (sortBy.startsWith('policy') ? row.policy : nameKey(row.name))
  const order = of(a) < of(b) ? -1 : of(a) > of(b) ? 1 : 0
  return sortBy.endsWith('_descending') ? -order : order
}

const sorts = ['natural_name_ascending', 'natural_name_descending', 'policy_descending']

test('walked in pages of any size', async () => {
  const group = fc.record({
    name: fc.constantFrom('a', 'b-2', 'b-10', 'c'),
    policy: fc.constantFrom('allow', 'fail'),
  })
  const rows = fc.uniqueArray(group, { selector: ({ name }) => name, maxLength: 4 })
  const many = fc
    .array(rows, { maxLength: 5 })
    .map((parts) =>
      parts.flatMap((part, index) => part.map((row) => ({ ...row, name: `${row.name}-${index}` }))),
    )
  await fc.assert(
    fc.asyncProperty(
      many,
      many,
      fc.constantFrom(...sorts),
      fc.integer({ min: 1, max: 7 }),
      async (apart, together, sortBy, limit) => {
        const walked: Group[] = []
        let pageToken: string | undefined
        for (;;) {
          const page: Page<Group> = await readJoined(
            [
              { kind: 'anti_affinity_group', read: listOf(apart, sortBy, limit) },
              { kind: 'affinity_group', read: listOf(together, sortBy, limit) },
            ],
            { sortBy, limit, pageToken },
          )
          expect(page.total).toBe(apart.length + together.length)
          expect(page.items.length).toBeLessThanOrEqual(limit)
          walked.push(...page.items)
          if (page.items.length < limit || !page.nextPage) break
          pageToken = page.nextPage
        }
        const joined = together.map((row) => ({ ...row, kind: 'affinity_group' }))
        const all = [
          ...apart.toSorted((a, b) => compare(sortBy, a, b)),
          ...joined.toSorted((a, b) => compare(sortBy, a, b)),
        ]
        expect(walked).toEqual(all.toSorted((a, b) => compare(sortBy, a, b)))
      },
    ),
  )
})

const failing = (status: number) => () =>
  Promise.reject(new ApiError('affinityGroupList' satisfies MethodName, 'No', status))
const apart = [{ name: 'apart', policy: 'allow' }]
const parts = (status: number) => [
  { kind: 'anti_affinity_group' as const, read: listOf(apart, 'name_ascending', 50) },
  { kind: 'affinity_group' as const, read: failing(status) },
]

test.each([404, 501])('reports a kind that the control plane lacks, by %i', async (status) => {
  const page = await readJoined(parts(status), { limit: 50 })
  expect(page).toMatchObject({
    items: apart,
    total: 1,
    kinds: ['anti_affinity_group'],
    lacking: ['affinity_group'],
  })
})

test('fails as a whole if one kind cannot be read', async () => {
  await expect(readJoined(parts(500), { limit: 50 })).rejects.toThrow('No')
})
