import { type Operation, type ReplacedParams, transactionOf } from './operation.ts'

export type OperationTable = Readonly<Record<string, Operation>>

/** All operations of some tables. */
type Composed<Table> = (Table extends unknown ? (table: Table) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

/** Method and path. Paths that differ only in parameter names count as the same. */
const routeOf = ({ method, path }: Operation): string =>
  `${method} ${path.replace(/\{\w+\}/g, '{}')}`

/**
 * Merges the operation tables of the resources.
 * @throws Error if two operations share an id, or a method and path, or if an operation combines a
 * streamed body with a transaction, which may have to be run again
 */
export function composeOperations<const Tables extends readonly OperationTable[]>(
  ...tables: Tables
): Composed<Tables[number]> {
  const composed: Record<string, Operation> = {}
  const routes = new Map<string, string>()
  for (const [id, operation] of tables.flatMap((table) => Object.entries(table))) {
    if (id in composed) throw new Error(`two operations have the id ${id}`)
    const route = routeOf(operation)
    const other = routes.get(route)
    if (other !== undefined) throw new Error(`${other} and ${id} both answer ${route}`)
    if (operation.streamed && !['none', 'own'].includes(transactionOf(operation))) {
      throw new Error(`${id} cannot run in one transaction: its body can be read only once`)
    }
    composed[id] = operation
    routes.set(route, id)
  }
  return composed as Composed<Tables[number]>
}

/**
 * The read whose answer an operation replaces: the one named in its row, otherwise for PUT and
 * PATCH the read of the same path, unless that is a list or does not answer JSON. SCIM has versions
 * of its own (RFC 7644, section 3.14).
 */
export function replacedRead(
  table: OperationTable,
  { method, path, permission, replaces }: Operation,
): { id: string; params: ReplacedParams } | undefined {
  const sameParams: ReplacedParams = ({ params }) => params
  if (replaces) return { params: sameParams, ...replaces }
  if ((method !== 'PUT' && method !== 'PATCH') || permission === 'scim') return undefined
  // Servers ask this for each operation when they start, and entries would be made each time.
  const id = Object.keys(table).find((key) => {
    const other = table[key]!
    return other.path === path && other.method === 'GET' && !other.scan
  })
  if (id === undefined) return undefined
  const { success } = table[id]!
  const isJson = (success.contentType ?? 'application/json') === 'application/json'
  return success.schema && isJson ? { id, params: sameParams } : undefined
}
