import type { Wire } from '@steading/api'
import {
  FLEET_ID,
  isInProject,
  kindsAround,
  kindTable,
  type ListedKind,
  listedKinds,
  parseSearch,
} from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import { type Actor, may } from '../../../kernel/authz/actor.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { inProjects, ownerColumn, parentColumn, storedKind } from '../../../kernel/kinds.ts'
import {
  beginning,
  type Handle,
  handlesIn,
  hasHandle,
  inRange,
  type Range,
} from '../../../kernel/search/handles.ts'
import { taggedThings } from '../tags/in-use.ts'
import { readableResources, type ResourceRow } from '../../../kernel/readable-resources.ts'

/** Most results of one kind per way to find them. */
const PER_KIND = 10
/** Up to this many projects, each is searched by itself. */
const PROJECTS_EACH = 50
/** Rows examined in the whole database, if there are more projects. */
const CANDIDATES = 2_000

interface Finder {
  db: Db
  actor: Actor
  /** The projects that the caller may read; undefined if there are too many to search each. */
  projects: string[] | undefined
}

interface Found extends ResourceRow {
  matched: Wire.FoundResource['matched']
  address: string | null
  /** Set for a block that contains the address, rather than having the address itself. */
  around?: true
}

async function readableProjects(db: Db, actor: Actor): Promise<string[] | undefined> {
  const { siloId } = actor
  const all = may(actor, 'read', 'project', { siloId })
  const own = [...actor.projectRoles.keys()]
  if (!all && own.length === 0) return []
  let projects = db
    .selectFrom('project')
    .select('id')
    .where('silo_id', '=', siloId)
    .where('time_deleted', 'is', null)
    .limit(PROJECTS_EACH + 1)
  if (!all) projects = projects.where('id', 'in', own)
  const ids = (await projects.execute()).map(({ id }) => id)
  return ids.length > PROJECTS_EACH ? undefined : ids
}

/**
 * The ids of the readable owners of resources of a kind, undefined if too many, as in `projects`.
 */
function ownersOf({ actor, projects }: Finder, kind: ListedKind): string[] | undefined {
  const { parent } = kindTable[kind]
  if (parent === 'fleet') return may(actor, 'read', kind, {}) ? [FLEET_ID] : []
  if (parent === 'silo') return [actor.siloId]
  return parent === 'silo_user' ? [actor.userId] : projects
}

/** Whether the caller may read a kind in every silo: identity providers, for operators. */
const readsEverySilo = ({ actor }: Finder, kind: ListedKind): boolean =>
  kindsAround(kind).includes('silo') && may(actor, 'read', kind, {})

/** SQL of the projects of the caller's silo. */
const ownProjects = ({ actor }: Finder): RawBuilder<unknown> =>
  sql`select id from project where silo_id = ${actor.siloId} and time_deleted is null`

type Row = { id: string; name: string; owner: string }

const rowsFrom = (kind: ListedKind) => {
  const { table, live } = storedKind(kind)
  return {
    columns: sql`id, name, ${ownerColumn(kind, table)} as owner`,
    from: sql`${sql.table(table)} where ${sql.raw(live)}`,
  }
}

/** True of the rows of a kind that belong to one owner. */
const ownedBy = (kind: ListedKind, owner: string): RawBuilder<boolean> =>
  isInProject(kind)
    ? inProjects(kind, sql`${owner}`)
    : sql`${sql.ref(parentColumn(kind))} = ${owner}`

async function byCondition(
  { db }: Finder,
  kind: ListedKind,
  condition: RawBuilder<boolean>,
): Promise<Row[]> {
  const { columns, from } = rowsFrom(kind)
  const { rows } = await sql<Row>`
    select ${columns} from ${from} and ${condition} limit ${PER_KIND}`.execute(db)
  return rows
}

/** Resources whose name begins with a text: searched in each owner, or else across all names. */
async function byName(finder: Finder, kind: ListedKind, range: Range): Promise<Row[]> {
  const { columns, from } = rowsFrom(kind)
  let named = inRange('name', range)
  if (readsEverySilo(finder, kind)) return byCondition(finder, kind, named)
  const owners = ownersOf(finder, kind)
  // Roles on projects make some projects of the silo readable.
  if (kind === 'project' && finder.projects) {
    if (finder.projects.length === 0) return []
    named = sql`${named} and id in (${sql.join(finder.projects)})`
  }
  if (!owners) {
    const { rows } = await sql<Row>`
      select * from (
        select ${columns} from ${from} and ${named} order by name limit ${CANDIDATES}
      ) as candidates where owner in (${ownProjects(finder)}) order by name limit ${PER_KIND}`.execute(
      finder.db,
    )
    return rows
  }
  if (owners.length === 0) return []
  const each = owners.map(
    (owner) => sql`select * from (
      select ${columns} from ${from} and ${ownedBy(kind, owner)} and ${named}
      order by name limit ${PER_KIND}) as part`,
  )
  const { rows } = await sql<Row>`
    select * from (${sql.join(each, sql` union all `)}) as found
    order by name limit ${PER_KIND}`.execute(finder.db)
  return rows
}

/** The ids of resources that hold a value, with the value. */
async function holders(
  finder: Finder,
  kind: ListedKind,
  handle: Handle,
  range: Range,
): Promise<{ id: string; value: string }[]> {
  const { db } = finder
  const { table, column, thing, within } = handle
  const projects = ownersOf(finder, kind)
  if (projects?.length === 0) return []
  const here = projects ? within(sql`${sql.join(projects)}`) : sql<boolean>`1 = 1`
  const { rows } = await sql<{ id: string; value: string }>`
    select ${sql.ref(thing)} as id, ${sql.ref(column)} as value from ${sql.table(table)}
    where ${hasHandle(handle, range)} and ${sql.ref(thing)} is not null and ${here}
    order by ${sql.ref(column)} limit ${projects ? PER_KIND : CANDIDATES}`.execute(db)
  return rows
}

async function byHandles(finder: Finder, kind: ListedKind, text: string): Promise<Found[]> {
  const ranges = handlesIn(text)
  const found: Found[] = []
  if (ranges.id) {
    const rows = await byCondition(finder, kind, inRange('id', ranges.id))
    found.push(...rows.map((row) => ({ ...row, kind, matched: 'id', address: null }) as const))
  }
  for (const handle of storedKind(kind).search?.handles ?? []) {
    const range = ranges[handle.form]
    if (!range) continue
    const held = new Map(
      (await holders(finder, kind, handle, range)).map(({ id, value }) => [id, value]),
    )
    if (held.size === 0) continue
    let condition = sql<boolean>`id in (${sql.join([...held.keys()])})`
    if (isInProject(kind) && !finder.projects) {
      condition = sql`${condition} and ${inProjects(kind, ownProjects(finder))}`
    }
    const matched = handle.form === 'id' ? 'id' : 'address'
    for (const row of await byCondition(finder, kind, condition)) {
      // For a block, the result shows the address inside it.
      const address = handle.holds ? range.from : held.get(row.id)!
      found.push({
        ...row,
        kind,
        matched,
        address: matched === 'id' ? null : address,
        ...(handle.holds ? { around: true } : {}),
      })
    }
  }
  return found
}

/** Resources with some tags, the first of which is read along the index of a place. */
async function byTags(finder: Finder, tags: readonly string[]): Promise<Found[]> {
  const found: Found[] = []
  for (const { kind, ids } of await taggedThings(finder, tags, PER_KIND)) {
    const rows = await byCondition(finder, kind, sql`id in (${sql.join(ids)})`)
    found.push(...rows.map((row) => ({ ...row, kind, matched: 'tag', address: null }) as const))
  }
  return found
}

/** Exact matches first, then blocks around an address; the rest in the order of the kinds. */
function ranked(found: Found[], text: string): Found[] {
  const rank = ({ name, matched, around }: Found) =>
    name === text ? 0 : matched === 'name' ? 3 : around ? 2 : 1
  return found.toSorted((a, b) => rank(a) - rank(b))
}

/**
 * Finds readable resources of all kinds by the beginning of a name, of an id or of an address. The
 * cost does not depend on the number of resources; a short text finds only some of them.
 */
export async function findResources(
  { db, actor }: { db: Db; actor: Actor },
  text: string,
  limit: number,
): Promise<Wire.FoundResource[]> {
  const finder = { db, actor, projects: await readableProjects(db, actor) }
  const { tags } = parseSearch(text)
  if (tags.length > 0) {
    const things = await readableResources({ db, actor }, await byTags(finder, tags))
    return things
      .slice(0, limit)
      .map(({ row, reference }) => ({ ...reference, matched: row.matched, address: null }))
  }
  const name = text.trim().toLowerCase()
  const found: Found[] = []
  for (const kind of listedKinds) {
    found.push(...(await byHandles(finder, kind, text)))
    if (/^[a-z][a-z0-9-]*$/.test(name)) {
      const rows = await byName(finder, kind, beginning(name))
      found.push(...rows.map((row) => ({ ...row, kind, matched: 'name', address: null }) as const))
    }
    await yieldToEventLoop()
  }
  const seen = new Set<string>()
  const once = ranked(found, name).filter(({ id }) => !seen.has(id) && seen.add(id))
  const things = await readableResources({ db, actor }, once)
  return things
    .slice(0, limit)
    .map(({ row, reference }) => ({ ...reference, matched: row.matched, address: row.address }))
}
