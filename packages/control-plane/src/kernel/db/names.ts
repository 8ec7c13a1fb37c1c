/** What it means when a row could not be written because another one has the same key. */
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

type Value = (column: string) => unknown

interface Named {
  /** What messages call a thing of this kind. */
  type: string | ((value: Value) => string)
  /** The column that holds its name; `name` unless told otherwise. */
  column?: string
}

/** Unique index → the kind of thing whose names it keeps apart. */
export const nameIndexes: Record<string, Named> = {
  silo_name: { type: 'silo' },
  silo_user_external: { type: 'silo-user', column: 'external_id' },
  silo_group_display: { type: 'silo-group', column: 'display_name' },
  ssh_key_name: { type: 'ssh-key' },
  project_name: { type: 'project' },
  vpc_name: { type: 'vpc' },
  vpc_router_name: { type: 'vpc-router' },
  router_route_name: { type: 'router-route' },
  vpc_subnet_name: { type: 'vpc-subnet' },
  vpc_firewall_rule_name: { type: 'vpc-firewall-rule' },
  internet_gateway_name: { type: 'internet-gateway' },
  internet_gateway_ip_pool_name: { type: 'internet-gateway-ip-pool' },
  ip_pool_name: { type: 'ip-pool' },
  external_ip_name: { type: 'floating-ip' },
  instance_name: { type: 'instance' },
  disk_name: { type: 'disk' },
  snapshot_name: { type: 'snapshot' },
  image_project_name: { type: 'project-image' },
  image_silo_name: { type: 'silo-image' },
  network_interface_name: { type: 'instance-network-interface' },
  affinity_group_name: {
    type: (value) => (value('kind') === 'affinity' ? 'affinity-group' : 'anti-affinity-group'),
  },
}

const plain = (node: OperationNode | undefined): unknown =>
  node && ValueNode.is(node) ? node.value : undefined
const columnName = (node: OperationNode): string | undefined =>
  node.kind === 'ColumnNode' ? (node as ColumnNode).column.name : undefined

/** The value a statement writes to a column, in the first of its rows. */
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
 * @returns undefined if the index is not one of names
 */
export function nameTaken(index: string, statement: CompiledQuery): ApiError | undefined {
  const named = nameIndexes[index]
  if (!named) return undefined
  const value: Value = (column) => writtenValue(statement, column)
  const name = value(named.column ?? 'name')
  if (typeof name !== 'string') return undefined
  return fail.alreadyExists(typeof named.type === 'string' ? named.type : named.type(value), name)
}
