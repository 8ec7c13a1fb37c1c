import type { Wire } from '@steading/api'
import {
  FLEET_ID,
  isInProject,
  kindTable,
  type ListedKind,
  listedKinds,
  parseTag,
  TAG_COUNT_MAX,
  tagText,
} from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import { may, type Scope } from '../../../kernel/authz/actor.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Work } from '../../../kernel/work.ts'

/** A project, or the resources of another scope. */
type Place = { id: string } | 'silo' | 'system' | 'user'

type Asking = Pick<Work, 'db' | 'actor'>

/** Rows of one index of tags: all resources of a place whose kinds the caller may read. */
interface Part {
  within: RawBuilder<boolean>
  kinds: readonly ListedKind[]
}

/** Texts before and after every kind. */
const BEFORE_ALL = ''
const AFTER_ALL = '\u{10ffff}'

const readable = ({ actor }: Asking, kinds: readonly ListedKind[], scope: Scope) =>
  kinds.filter((kind) => may(actor, 'read', kind, scope))

/** Kinds of a silo and its projects. */
const siloKinds = listedKinds.filter(
  (kind) => isInProject(kind) || kind === 'silo' || kindTable[kind].parent === 'silo',
)
const projectKinds = siloKinds.filter((kind) => isInProject(kind) || kind === 'project')
const listsIn = (parent: string) => listedKinds.filter((kind) => kindTable[kind].parent === parent)

const partOfProject = (asking: Asking, id: string): Part => ({
  within: sql`project_id = ${id}`,
  kinds: readable(asking, projectKinds, { siloId: asking.actor.siloId, projectId: id }),
})

/** The lists of a parent, whose index is by kind. */
const partsOfParent = (kinds: readonly ListedKind[], id: string): Part[] =>
  kinds.map((kind) => ({ within: sql`parent_id = ${id} and kind = ${kind}`, kinds: [kind] }))

function partsOf(asking: Asking, place: Place): Part[] {
  const { siloId, userId, projectRoles } = asking.actor
  if (place === 'system') {
    return partsOfParent(readable(asking, listsIn('fleet'), {}), FLEET_ID)
  }
  if (place === 'user') return partsOfParent(listsIn('silo_user'), userId)
  if (place !== 'silo') return [partOfProject(asking, place.id)]
  const kinds = readable(asking, siloKinds, { siloId })
  if (kinds.includes('project')) return [{ within: sql`silo_id = ${siloId}`, kinds }]
  // Roles on some projects only.
  const own = partsOfParent(
    kinds.filter((kind) => kindTable[kind].parent === 'silo'),
    siloId,
  )
  return [...own, ...[...projectRoles.keys()].map((id) => partOfProject(asking, id))]
}

type Found = { key: string; value: string; kind: string }

/** The position before all tags that begin with a text. */
function startOf(search: string): Found {
  const { key, value } = parseTag(search)
  if (!search.includes(':')) return { key, value: '', kind: BEFORE_ALL }
  return { key, value, kind: value === '' ? AFTER_ALL : BEFORE_ALL }
}

/** Whether a tag that comes after the start of a search belongs to it. */
function belongs(search: string, found: Found): boolean {
  const { key, value } = parseTag(search)
  return search.includes(':')
    ? found.key === key && found.value.startsWith(value)
    : found.key.startsWith(key)
}

/**
 * The next tag and kind along the index of a part. Asked for with one bound at a time: SQLite reads
 * all rows that equal a position of several columns, which may be all resources of the project.
 */
async function next(
  { db }: Asking,
  { within }: Part,
  { key, value, kind }: Found,
): Promise<Found | undefined> {
  const places = [
    sql`key = ${key} and value = ${value} and kind > ${kind}`,
    sql`key = ${key} and value > ${value}`,
    sql`key > ${key}`,
  ]
  for (const place of places) {
    const { rows } = await sql<Found>`
      select key, value, kind from tag where ${within} and ${place}
      order by key, value, kind limit 1`.execute(db)
    if (rows[0]) return rows[0]
  }
  return undefined
}

/** The number of tagged resources of a kind, at most one more than are counted. */
async function countOf({ db }: Asking, { within }: Part, { key, value, kind }: Found) {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from tag
      where ${within} and key = ${key} and value = ${value} and kind = ${kind}
      limit ${TAG_COUNT_MAX + 1}) as tagged`.execute(db)
  return Number(rows[0]!.count)
}

/** True of rows of `its` with a tag; a key alone stands for all its values. */
function has(tag: string): RawBuilder<boolean> {
  const { key, value } = parseTag(tag)
  return value === '' ? sql`its.key = ${key}` : sql`its.key = ${key} and its.value = ${value}`
}

/** Tags examined for those that a resource needs as well. */
const CANDIDATES = 2_000

/** Ids of some readable resources with all of some tags, by kind. */
export async function taggedThings(
  asking: Asking,
  [first, ...others]: readonly string[],
  limit: number,
): Promise<{ kind: ListedKind; ids: string[] }[]> {
  const parts = (['silo', 'system', 'user'] as const).flatMap((place) => partsOf(asking, place))
  const found = new Map<ListedKind, Set<string>>()
  for (const { within, kinds } of parts) {
    if (kinds.length === 0) continue
    const alike = others.map(
      (tag) => sql`and exists (select 1 from tag as its
        where its.thing_id = found.thing_id and ${has(tag)})`,
    )
    const { rows } = await sql<{ kind: ListedKind; thing_id: string }>`
      select kind, thing_id from (
        select kind, thing_id from tag as its
        where ${within} and ${has(first!)} and kind in (${sql.join(kinds)})
        limit ${CANDIDATES}) as found
      where 1 = 1 ${alike.length > 0 ? sql.join(alike, sql` `) : sql``}
      limit ${limit}`.execute(asking.db)
    for (const { kind, thing_id } of rows) {
      found.set(kind, (found.get(kind) ?? new Set()).add(thing_id))
    }
    await yieldToEventLoop()
  }
  return [...found].map(([kind, ids]) => ({ kind, ids: [...ids] }))
}

/** Tags and kinds between two turns of the event loop. */
const TURN = 20

/**
 * The tags in use of a place, in their order. Each is found and counted along an index, so that the
 * cost depends only on the number of listed tags.
 */
export async function tagsInUse(
  asking: Asking,
  place: Place,
  search: string,
  limit: number,
): Promise<Wire.TagsInUse> {
  const counts = new Map<string, number>()
  let steps = 0
  for (const part of partsOf(asking, place)) {
    const kinds: readonly string[] = part.kinds
    let found: Found | undefined = startOf(search)
    const own = new Set<string>()
    while ((found = await next(asking, part, found)) && belongs(search, found)) {
      const tag = tagText(found)
      if (kinds.includes(found.kind)) {
        own.add(tag)
        if (own.size > limit) break
        counts.set(tag, (counts.get(tag) ?? 0) + (await countOf(asking, part, found)))
      }
      if (++steps % TURN === 0) await yieldToEventLoop()
    }
    // The next tag is known to exist, although its resources were not counted.
    if (own.size > limit) counts.set([...own].at(-1)!, counts.get([...own].at(-1)!) ?? 0)
  }
  const tags = [...counts.keys()].toSorted((a, b) => {
    const [left, right] = [parseTag(a), parseTag(b)]
    if (left.key !== right.key) return left.key < right.key ? -1 : 1
    return left.value < right.value ? -1 : 1
  })
  return {
    items: tags.slice(0, limit).map((tag) => {
      const count = counts.get(tag)!
      return { tag, count: count > TAG_COUNT_MAX ? null : count }
    }),
    more: tags.length > limit,
  }
}

/**
 * The keys of tags in use of a place. Each is found along an index, so that the cost does not depend
 * on how many resources have it.
 */
export async function tagKeysInUse(
  asking: Asking,
  place: Place,
  search: string,
  limit: number,
): Promise<Wire.TagKeysInUse> {
  const keys = new Set<string>()
  let steps = 0
  for (const part of partsOf(asking, place)) {
    const kinds: readonly string[] = part.kinds
    const own = new Set<string>()
    let found: Found | undefined = { key: search, value: '', kind: BEFORE_ALL }
    while ((found = await next(asking, part, found)) && found.key.startsWith(search)) {
      if (kinds.includes(found.kind)) {
        own.add(found.key)
        if (own.size > limit) break
        // The position after all values of the key.
        found = { key: found.key, value: AFTER_ALL, kind: AFTER_ALL }
      }
      if (++steps % TURN === 0) await yieldToEventLoop()
    }
    for (const key of own) keys.add(key)
  }
  return { keys: [...keys].toSorted().slice(0, limit), more: keys.size > limit }
}
