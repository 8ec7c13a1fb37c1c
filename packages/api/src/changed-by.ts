import { type OperationTable, replacedRead } from './compose.ts'
import { type Operation, writesRows } from './operation.ts'
import { type KindName, kindTable } from './kinds/kinds.ts'
import { staleReads } from './kinds/stale-reads.ts'
import { isRestorable } from './workspace/deleted-resources/rules.ts'

/**
 * The kinds that a call of an operation changes, and further reads that it makes stale: its own
 * kind, the kinds that its permission lets it modify or create, the read whose answer it replaces,
 * the deleted resources that can be restored, and `changes` of its row.
 */
export function changedBy(table: OperationTable, operation: Operation): string[] {
  const { kind, method, permission, changes } = operation
  if (!writesRows(operation) || changes?.length === 0) return []
  // A creation needs rights on its container, and does not change that.
  const container = kind && kindTable[kind as KindName].parent
  const modified = Object.entries(typeof permission === 'object' ? permission : {})
    .filter(([name, action]) => action === 'modify' || (action === 'create' && name !== container))
    .map(([name]) => name)
  const replaced = replacedRead(table, operation)
  // What is deleted may be kept for a while.
  const kept = method === 'DELETE' && kind && isRestorable(kind) ? 'deleted_resource' : []
  const names = [kind ?? [], modified, replaced?.id ?? [], kept, changes ?? []].flat()
  const kinds = names.filter((name) => name in kindTable) as KindName[]
  const reads = names.filter((name) => !(name in kindTable))
  const known = kinds.flatMap(staleReads)
  return [...new Set([...kinds, ...reads.filter((read) => !known.includes(read))])]
}
