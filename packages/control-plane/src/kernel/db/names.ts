/** Turns the violation of a unique index into an error of the contract. */
import {
  type CompiledQuery,
  type ColumnNode,
  InsertQueryNode,
  type OperationNode,
  PrimitiveValueListNode,
  UpdateQueryNode,
  ValueNode,
} from 'kysely'
import { type ApiError, fail } from '../errors.ts'
import { type NameIndex, storedTables, type WrittenValue } from './tables.ts'

/** The declaration of a unique index of names; undefined for every other index. */
const nameIndex = (index: string): NameIndex | undefined => {
  for (const { names } of storedTables().values()) {
    const found = names?.[index]
    if (found) return typeof found === 'string' ? { type: found } : found
  }
  return undefined
}

const plain = (node: OperationNode | undefined): unknown =>
  node && ValueNode.is(node) ? node.value : undefined
const columnName = (node: OperationNode): string | undefined =>
  node.kind === 'ColumnNode' ? (node as ColumnNode).column.name : undefined

/** The value that a statement writes to a column in its first row. */
function writtenValue({ query }: CompiledQuery, column: string): unknown {
  if (UpdateQueryNode.is(query)) {
    return plain(query.updates?.find((update) => columnName(update.column) === column)?.value)
  }
  if (!InsertQueryNode.is(query)) return undefined
  const index = query.columns?.findIndex((node) => columnName(node) === column) ?? -1
  const [row] = (query.values as { values?: readonly OperationNode[] } | undefined)?.values ?? []
  if (!row) return undefined
  return PrimitiveValueListNode.is(row)
    ? row.values[index]
    : plain((row as { values?: readonly OperationNode[] }).values?.[index])
}

/**
 * The error of the contract for a name that is taken.
 * @param index the unique index that refused the row
 * @param statement the statement that failed
 * @returns undefined if the index is not declared to keep names unique
 */
export function nameTaken(index: string, statement: CompiledQuery): ApiError | undefined {
  const named = nameIndex(index)
  if (!named) return undefined
  const value: WrittenValue = (column) => writtenValue(statement, column)
  const name = value(named.column ?? 'name')
  if (typeof name !== 'string') return undefined
  return fail.alreadyExists(typeof named.type === 'string' ? named.type : named.type(value), name)
}
