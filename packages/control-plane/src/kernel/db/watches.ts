/** Notifies caches when statements of this process have written the tables they depend on. */
import {
  type ColumnNode,
  type ColumnUpdateNode,
  type CompiledQuery,
  DeleteQueryNode,
  InsertQueryNode,
  type OperationNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
} from 'kysely'
import type { Database } from './schema.ts'

/** Table → the columns that matter. Inserting or deleting a row always does. */
export type WatchedColumns = Partial<Record<keyof Database, readonly string[]>>

interface Watch {
  columns: WatchedColumns
  changed: () => void
}

export interface Watches {
  /** @param changed called after each statement that may have written the columns, and after the
   *   end of its transaction */
  watch: (columns: WatchedColumns, changed: () => void) => void
  /** Records a statement that succeeded. */
  executed: (statement: CompiledQuery) => void
  /** Runs a transaction. */
  during: <T>(transaction: () => Promise<T>) => Promise<T>
}

const tableName = (node: OperationNode | undefined): string | undefined =>
  node && TableNode.is(node) ? node.table.identifier.name : undefined

const updatedColumn = ({ column }: ColumnUpdateNode): string | undefined =>
  column.kind === 'ColumnNode' ? (column as ColumnNode).column.name : undefined

/** Whether a raw statement is a select, also one with common table expressions. */
const reads = (sql: string): boolean =>
  /^\s*select\b/i.test(sql) ||
  (/^\s*with\b/i.test(sql) &&
    !/\b(?:insert|replace|merge)\s+into\b|\bupdate\b|\bdelete\s+from\b/i.test(sql))

/**
 * Whether a statement may write some of the columns. A statement that is not understood counts as
 * writing them.
 */
function writes({ query, sql }: CompiledQuery, columns: WatchedColumns): boolean {
  if (SelectQueryNode.is(query)) return false
  const watched = (table: string | undefined) => columns[table as keyof Database]
  if (InsertQueryNode.is(query)) return watched(tableName(query.into)) !== undefined
  if (UpdateQueryNode.is(query)) {
    const matter = watched(tableName(query.table))
    if (!matter) return false
    return (query.updates ?? []).some((update) => {
      const column = updatedColumn(update)
      return column === undefined || matter.includes(column)
    })
  }
  if (DeleteQueryNode.is(query)) {
    return query.from.froms.some((from) => watched(tableName(from)) !== undefined)
  }
  return !reads(sql) && Object.keys(columns).some((table) => sql.includes(table))
}

export function createWatches(): Watches {
  const watches: Watch[] = []
  /** Open transaction → the watches of statements that ran meanwhile, in it or in another one. */
  const open = new Set<Set<Watch>>()
  return {
    watch(columns, changed) {
      watches.push({ columns, changed })
    },
    executed(statement) {
      for (const watch of watches) {
        if (!writes(statement, watch.columns)) continue
        watch.changed()
        for (const concerned of open) concerned.add(watch)
      }
    },
    async during(transaction) {
      const concerned = new Set<Watch>()
      open.add(concerned)
      try {
        return await transaction()
      } finally {
        open.delete(concerned)
        // Until the commit, others have read the old rows.
        for (const { changed } of concerned) changed()
      }
    },
  }
}
