/** The operations that bring the rows of a VPC to what they should be. Pure. */
import type { OvsdbOperation } from '../ovsdb/connection.ts'
import type { PlainRow, Replica } from '../ovsdb/replica.ts'
import {
  type AnyPlain,
  type Column,
  defaultOf,
  isSamePlain,
  ovsdbOf,
  type PlainMap,
} from '../ovsdb/values.ts'
import type { DesiredRow } from '../vpc/rows.ts'
import { isOfMoves } from './moving-ports.ts'
import { northboundTables, type NorthboundTable, rootTables } from './tables.ts'

/** Keys of `external_ids` with which rows say what they belong to. */
export const marks = {
  /** The installation, so that several can share a database. */
  owner: 'steading-owner',
  vpc: 'steading-vpc',
  key: 'steading-key',
  /** Only on the router of the VPC. */
  version: 'steading-version',
} as const

/** Rows of other kinds than these have no place of their own. */
const tableNames = Object.keys(northboundTables) as NorthboundTable[]

export interface PresentRow {
  table: NorthboundTable
  uuid: string
  key: string
  columns: PlainRow
}

/** A row's own marks; undefined if it belongs to others. */
export function marksOf(columns: PlainRow, owner: string): PlainMap | undefined {
  const ids = columns['external_ids'] as PlainMap
  return ids[marks.owner] === owner && ids[marks.vpc] !== undefined ? ids : undefined
}

/** The rows of all VPCs of an installation, by the ids of the VPCs. */
export function presentByVpc(replica: Replica, owner: string): Map<string, PresentRow[]> {
  const found = new Map<string, PresentRow[]>()
  for (const table of tableNames) {
    for (const [uuid, columns] of replica.rows(table)) {
      const ids = marksOf(columns, owner)
      if (!ids) continue
      const vpc = ids[marks.vpc]!
      const row = { table, uuid, key: ids[marks.key] ?? '', columns }
      const rows = found.get(vpc)
      if (rows) rows.push(row)
      else found.set(vpc, [row])
    }
  }
  return found
}

/** The rows of a VPC, and of nobody else. */
export const presentRows = (replica: Replica, owner: string, vpc: string): PresentRow[] =>
  presentByVpc(replica, owner).get(vpc) ?? []

const columnsOf = (table: NorthboundTable): Readonly<Record<string, Column>> =>
  northboundTables[table]

const idOf = ({ table, key }: Pick<PresentRow, 'table' | 'key'>): string => `${table} ${key}`

/** Replaces references by the keys of the rows; rows of others, or gone ones, have none. */
function withKeys(column: Column, value: AnyPlain, keyOf: ReadonlyMap<string, string>): AnyPlain {
  if (!column.to || value === null) return value
  const key = (uuid: string) => keyOf.get(uuid) ?? `uuid ${uuid}`
  return Array.isArray(value) ? value.map((uuid) => key(String(uuid))) : key(String(value))
}

interface Owner {
  owner: string
  vpc: string
}

/**
 * @param desired rows of a VPC; none removes it
 * @param present its rows now, as `presentRows` finds them. Two with one key are drift: the second
 *   goes
 * @returns operations for one transaction; none if all is as it should be
 */
export function difference(
  desired: readonly DesiredRow[],
  present: readonly PresentRow[],
  { owner, vpc }: Owner,
): OvsdbOperation[] {
  const known = new Map<string, PresentRow>()
  const surplus: PresentRow[] = []
  const wanted = new Map(desired.map((row) => [idOf(row), row]))
  for (const row of present) {
    if (!wanted.has(idOf(row)) || known.has(idOf(row))) surplus.push(row)
    else known.set(idOf(row), row)
  }
  const keyOf = new Map([...known.values()].map(({ uuid, key }) => [uuid, key]))
  /** Names of new rows within the transaction. */
  const named = new Map<string, string>()
  for (const [id] of wanted) if (!known.has(id)) named.set(id, `row${named.size}`)

  const encode = (column: Column, value: AnyPlain) =>
    ovsdbOf(column, value, (key) => {
      const id = idOf({ table: column.to as NorthboundTable, key })
      const there = known.get(id)
      if (there) return ['uuid', there.uuid]
      const name = named.get(id)
      if (name === undefined) throw new Error(`${vpc} refers to ${id}, which it does not have`)
      return ['named-uuid', name]
    })

  const operations: OvsdbOperation[] = []
  for (const [id, { table, key, columns }] of wanted) {
    const types = columnsOf(table)
    const there = known.get(id)
    const own = { [marks.owner]: owner, [marks.vpc]: vpc, [marks.key]: key }
    if (!there) {
      const row = Object.fromEntries(
        Object.entries(columns).map(([name, value]) => [name, encode(types[name]!, value)]),
      )
      operations.push({
        op: 'insert',
        table,
        row: { ...row, external_ids: ['map', Object.entries(own)] },
        'uuid-name': named.get(id)!,
      })
      continue
    }
    const changed = Object.entries(types).flatMap(([name, column]) => {
      // Not told: whether and where it is bound, and marks of others.
      if (name === 'external_ids' || name === 'up') return []
      if (isOfMoves(table, name, columns)) return []
      const before = withKeys(column, there.columns[name]!, keyOf)
      const after = columns[name] ?? defaultOf(column)
      return isSamePlain(column, before, after) ? [] : [[name, encode(column, after)] as const]
    })
    if (changed.length > 0) {
      operations.push({
        op: 'update',
        table,
        where: [['_uuid', '==', ['uuid', there.uuid]]],
        row: Object.fromEntries(changed),
      })
    }
  }
  // Other rows go when nothing refers to them any more.
  for (const { table, uuid } of surplus) {
    if (!rootTables.includes(table)) continue
    operations.push({ op: 'delete', table, where: [['_uuid', '==', ['uuid', uuid]]] })
  }
  return operations
}
