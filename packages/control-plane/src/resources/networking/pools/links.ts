/**
 * Links of pools to silos: the pools from which the users of a silo may allocate, and the default
 * ones. This is the same for all kinds of pools, which declare their differences.
 */
import type { KindName } from '@steading/api/rules'
import { sql } from 'kysely'
import { anyTable } from '../../../kernel/db/any-table.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Flag } from '../../../kernel/db/schema.ts'
import type { TableName } from '../../../kernel/db/tables.ts'
import type { ApiError } from '../../../kernel/errors.ts'
import { anyRowsOf, type Row, storedKind, type StoredName } from '../../../kernel/kinds.ts'
import { listPage, type Page, type ResultsPage } from '../../../kernel/paging.ts'
import type { Writing } from '../../../kernel/work.ts'

/** Columns that all kinds of pools have. */
interface Pool {
  id: string
  name: string
}

export interface PoolKind<K extends StoredName = StoredName> {
  /** The kind of the pool for operators. */
  kind: K
  /** The kind of the pool for the users of a silo. */
  siloKind: KindName
  /** The table of its links, with `silo_id` and `is_default`. */
  links: TableName
  /** The column of that table with the id of the pool. */
  column: string
  /** A silo has one default among the pools with equal values in these columns. */
  alike: readonly string[]
  /** The error for a pool that is already linked to the silo. */
  linkedAlready: (pool: Pool, siloId: string) => ApiError
  /** The error for a silo that has another default of the kind. */
  hasDefault: (pool: Pool, siloId: string) => ApiError
  notLinked: (pool: Pool, siloId: string) => ApiError
  /** @throws ApiError while the silo uses something of the pool */
  requireUnused: (db: Db, pool: Pool, siloId: string) => Promise<void>
  /** Called when a pool becomes a default of a silo. */
  becameDefault?: (writing: Writing, pool: Pool, siloId: string) => Promise<void>
}

export interface Link {
  silo_id: string
  is_default: Flag
}

/** Stands for the table of pools of any kind. */
type Pools = 'ip_pool'
export const poolsTable = ({ kind }: PoolKind) => storedKind(kind).table as Pools

/** Stands for the table of links of any kind of pool. */
type Links = 'ip_pool_silo_link'
const linksTable = ({ links }: PoolKind) => links as Links
const columnOf = ({ column }: PoolKind) => sql.ref<string>(column)

/**
 * A page of the links of a pool, in the order of the ids of the silos. Silos that are not
 * discoverable are left out, as in the list of silos.
 */
export function pageOfLinks<Item>(
  db: Db,
  page: Page,
  pools: PoolKind,
  poolId: string,
  toWire: (link: Link) => Item,
): Promise<ResultsPage<Item>> {
  const rows = db
    .selectFrom(linksTable(pools))
    .select(['silo_id', 'silo_id as id', 'is_default'])
    .where(columnOf(pools), '=', poolId)
    .where('silo_id', 'in', (eb) =>
      eb.selectFrom('silo').select('id').where('discoverable', '=', 1),
    )
  return listPage(page, rows, { id: 'silo_id' }, toWire)
}

/** Rows of a query over the pools of a silo: the columns of `its` and of `link`. */
type LinkedRow<K extends StoredName> = Row<K> & { is_default: Flag }

/** The pools linked to a silo, called `its`, with the columns of the `link`. */
export function linkedPools<K extends StoredName>(
  db: Db,
  { kind, links, column }: PoolKind<K>,
  siloId: string,
) {
  return anyRowsOf(db, kind)
    .innerJoin(anyTable<Link & Record<string, unknown>>(links).as('link'), (join) =>
      join.onRef(`link.${column}`, '=', 'its.id'),
    )
    .selectAll('its')
    .select('link.is_default')
    .$castTo<LinkedRow<K>>()
    .where('link.silo_id', '=', siloId)
}

const linkOf = (db: Db, pools: PoolKind, poolId: string, siloId: string) =>
  db
    .selectFrom(linksTable(pools))
    .select(['silo_id', 'is_default'])
    .where(columnOf(pools), '=', poolId)
    .where('silo_id', '=', siloId)
    .executeTakeFirst()

/** The silo's default pool whose place the given one would take. */
function otherDefault(
  db: Db,
  pools: PoolKind,
  pool: Pool,
  siloId: string,
): Promise<Pool | undefined> {
  let others = linkedPools(db, pools as PoolKind<'system_ip_pool'>, siloId)
    .where('link.is_default', '=', 1)
    .where('its.id', '!=', pool.id)
  for (const column of pools.alike) {
    others = others.where(sql<boolean>`${sql.ref(`its.${column}`)} = (
      select ${sql.ref(column)} from ${sql.table(poolsTable(pools))} where id = ${pool.id})`)
  }
  return others.executeTakeFirst()
}

/** Emits the events of a changed link, for operators and for the users of the silo. */
async function emitLinkEvents(
  { emit }: Writing,
  { kind, siloKind }: PoolKind,
  pool: Pool,
  siloId: string,
  action: 'create' | 'update' | 'delete',
): Promise<void> {
  const { id, name } = pool
  await emit(kind, 'update', { id, name })
  await emit(siloKind, action, { id, name, silo_id: siloId })
}

/** Emits the events of a changed pool, for operators and for the users of all linked silos. */
export async function emitPoolEvents(
  { db, emit }: Writing,
  pools: PoolKind,
  { id, name }: Pool,
  action: 'create' | 'update' | 'delete',
): Promise<void> {
  await emit(pools.kind, action, { id, name })
  const links = await db
    .selectFrom(linksTable(pools))
    .select('silo_id')
    .where(columnOf(pools), '=', id)
    .execute()
  for (const { silo_id } of links) await emit(pools.siloKind, action, { id, name, silo_id })
}

/** @throws ApiError 400 if it is already linked, or would be a second default */
export async function linkSilo(
  writing: Writing,
  pools: PoolKind,
  pool: Pool,
  silo_id: string,
  isDefault: boolean,
): Promise<Link> {
  const { db } = writing
  if (await linkOf(db, pools, pool.id, silo_id)) throw pools.linkedAlready(pool, silo_id)
  if (isDefault && (await otherDefault(db, pools, pool, silo_id))) {
    throw pools.hasDefault(pool, silo_id)
  }
  const link: Link = { silo_id, is_default: isDefault ? 1 : 0 }
  await db
    .insertInto(linksTable(pools))
    .values({ ...link, [pools.column]: pool.id } as Link & { ip_pool_id: string })
    .execute()
  if (isDefault) await pools.becameDefault?.(writing, pool, silo_id)
  await emitLinkEvents(writing, pools, pool, silo_id, 'create')
  return link
}

/**
 * Makes a pool the default of a silo in place of the present one, which stays linked; or makes it
 * no longer the default.
 * @throws ApiError 404 if it is not linked
 */
export async function changeLink(
  writing: Writing,
  pools: PoolKind,
  pool: Pool,
  silo_id: string,
  isDefault: boolean,
): Promise<Link> {
  const { db } = writing
  const before = await linkOf(db, pools, pool.id, silo_id)
  if (!before) throw pools.notLinked(pool, silo_id)
  const link: Link = { silo_id, is_default: isDefault ? 1 : 0 }
  if (before.is_default === link.is_default) return link
  const set = async (of: Pool, is_default: Flag) => {
    await db
      .updateTable(linksTable(pools))
      .set({ is_default })
      .where(columnOf(pools), '=', of.id)
      .where('silo_id', '=', silo_id)
      .execute()
    await emitLinkEvents(writing, pools, of, silo_id, 'update')
  }
  const old = isDefault ? await otherDefault(db, pools, pool, silo_id) : undefined
  if (old) await set(old, 0)
  await set(pool, link.is_default)
  if (isDefault) await pools.becameDefault?.(writing, pool, silo_id)
  return link
}

/** @throws ApiError 404 if it is not linked, 400 while the silo uses something of it */
export async function unlinkSilo(
  writing: Writing,
  pools: PoolKind,
  pool: Pool,
  siloId: string,
): Promise<void> {
  const { db } = writing
  if (!(await linkOf(db, pools, pool.id, siloId))) throw pools.notLinked(pool, siloId)
  await pools.requireUnused(db, pool, siloId)
  await db
    .deleteFrom(linksTable(pools))
    .where(columnOf(pools), '=', pool.id)
    .where('silo_id', '=', siloId)
    .execute()
  await emitLinkEvents(writing, pools, pool, siloId, 'delete')
}

/** Removes all links of a deleted pool. */
export async function removeLinks(db: Db, pools: PoolKind, poolId: string): Promise<void> {
  await db.deleteFrom(linksTable(pools)).where(columnOf(pools), '=', poolId).execute()
}

export async function isLinked(db: Db, pools: PoolKind, poolId: string): Promise<boolean> {
  const link = await db
    .selectFrom(linksTable(pools))
    .select('silo_id')
    .where(columnOf(pools), '=', poolId)
    .limit(1)
    .executeTakeFirst()
  return link !== undefined
}
