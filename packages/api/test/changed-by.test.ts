/** Each operation says what it changes. */
import { expect, test } from 'vitest'
import { changedBy, type OperationId, operationTable, writesRows } from '../src/index.ts'
import { type KindName, kindTable } from '../src/kinds/kinds.ts'
import { staleReads } from '../src/kinds/stale-reads.ts'
import type { Operation } from '../src/operation.ts'

const operations = Object.entries<Operation>(operationTable)

test('every operation that writes rows changes a kind or makes a read stale', () => {
  // Signing in and out begins a page anew, and identity providers are no pages.
  const silent = operations.filter(
    ([, operation]) =>
      writesRows(operation) &&
      !['public', 'scim'].includes(operation.permission as string) &&
      changedBy(operationTable, operation).length === 0,
  )
  expect(silent.filter(([, { changes }]) => changes === undefined).map(([id]) => id)).toEqual([])
})

test('what operations change are kinds and reads, each named once', () => {
  for (const [id, operation] of operations) {
    const { changes = [], kind, permission } = operation
    const unknown = changes.filter(
      (name) => !(name in kindTable) && operationTable[name as OperationId]?.method !== 'GET',
    )
    expect([id, unknown]).toEqual([id, []])
    const said = changedBy(operationTable, { ...operation, changes: undefined })
    const repeated = changes.filter((name) => said.includes(name))
    expect([id, repeated, kind, permission]).toEqual([id, [], kind, permission])
  }
})

test('each change makes a read stale', () => {
  const isRead = (name: string) => operationTable[name as OperationId]?.method === 'GET'
  const without = operations.filter(([, operation]) => {
    const changed = changedBy(operationTable, operation)
    const reads = changed.flatMap((name) =>
      name in kindTable ? staleReads(name as KindName) : [name],
    )
    return changed.length > 0 && !reads.some(isRead)
  })
  expect(without.map(([id]) => id)).toEqual([])
})

test('a creation changes its kind, but not the container', () => {
  expect(changedBy(operationTable, operationTable.disk_create)).toEqual(['disk'])
  expect(changedBy(operationTable, operationTable.instance_create)).toContain('floating_ip')
  expect(changedBy(operationTable, operationTable.instance_create)).not.toContain('project')
})

test('reads, and calls that write no rows, change nothing', () => {
  for (const id of ['disk_view', 'disk_bulk_write_import', 'timeseries_query'] as const)
    expect(changedBy(operationTable, operationTable[id])).toEqual([])
})
