/**
 * Looking up is authorizing: every function here that finds a row by a name or an id from the
 * caller also checks that the operation's action on it is permitted.
 */
import { type Action, isUuid, type KindName, kindTable, type OwnKind } from '@steading/api/rules'
import type { AuditContext } from './audit/audit-context.ts'
import { type Actor, may, type Scope } from './authz/actor.ts'
import { type PermissionContext, authorize } from './authz/authorize.ts'
import type { AnyRow } from './db/any-table.ts'
import type { Db } from './db/database.ts'
import { type ApiError, fail } from './errors.ts'
import { anyRowsOf, parentColumn, type Row, storedKind, type StoredName } from './kinds.ts'

/** A call that may look up resources of some kinds. */
export interface LookupContext<Kinds extends KindName> extends PermissionContext<Kinds> {
  readonly db: Db
  /** Collects the found resources, for the audit log. */
  readonly audit?: AuditContext
}
type AnyLookupContext = LookupContext<KindName>

/** Selectors of a resource's containers, as in a query. */
export type Parents = Partial<Record<KindName, string | null>>

/**
 * Whether resources of a kind are in a silo or belong to a user, and callers see only their own.
 * Kinds with selectors are excluded, because the caller names the silo of a resource.
 */
const isOwned = (kind: KindName): boolean => {
  const { parent, selectors } = kindTable[kind]
  return (parent === 'silo' && !selectors) || parent === 'silo_user'
}

const ownerId = (kind: KindName, actor: Actor): string =>
  kindTable[kind].parent === 'silo' ? actor.siloId : actor.userId

/** The 404 for a resource that the caller named. */
export const notFound = (kind: KindName, selector: string): ApiError => {
  const { type, namedType = type } = kindTable[kind]
  return isUuid(selector)
    ? fail.notFoundById(type, selector)
    : fail.notFoundByName(namedType, selector)
}

/** Notes a resource that was found; a resource without a name is noted by its display name. */
function note(
  { audit }: Pick<AnyLookupContext, 'audit'>,
  kind: KindName,
  { id, name, display_name }: AnyRow,
  { siloId, projectId }: Scope,
): void {
  audit?.note({
    kind,
    id,
    name: String(name ?? display_name ?? ''),
    siloId: siloId ?? null,
    projectId: projectId ?? null,
  })
}

/** The silo and the project that a row is in, found through its parents. */
async function scopeOf(context: AnyLookupContext, kind: KindName, row: AnyRow): Promise<Scope> {
  const { db, actor } = context
  if (kind === 'silo') return { siloId: row.id }
  if (kind === 'project') return { siloId: row.silo_id as string, projectId: row.id }
  if (isOwned(kind)) {
    const { siloId, userId } = actor
    return kindTable[kind].parent === 'silo_user' ? { siloId, userId } : { siloId }
  }
  if (kindTable[kind].parent === 'fleet') return {}
  const parent = kindTable[kind].parent as StoredName
  const parentId = row[parentColumn(kind)] as string | null
  if (parentId === null) return { siloId: row.silo_id as string }
  const above = await anyRowsOf(db, parent)
    .selectAll()
    .$castTo<AnyRow>()
    .where('its.id', '=', parentId)
    .executeTakeFirst()
  // The parent was deleted, and this row is about to be deleted too.
  if (!above) return {}
  const scope = await scopeOf(context, parent, above)
  note(context, parent, above, scope)
  return scope
}

const hasParents = (kind: KindName, parents: Parents): boolean => {
  const parent = kindTable[kind].parent as KindName | undefined
  return parent !== undefined && (Boolean(parents[parent]) || hasParents(parent, parents))
}

/** The live rows that a selector may mean; for an owned kind, only the caller's. */
function candidates({ db, actor }: Pick<AnyLookupContext, 'db' | 'actor'>, kind: KindName) {
  const rows = anyRowsOf(db, kind).selectAll().$castTo<AnyRow>()
  if (!isOwned(kind)) return rows
  const { owned } = storedKind(kind)
  return owned
    ? rows.where(owned(actor))
    : rows.where(parentColumn(kind), '=', ownerId(kind, actor))
}

async function find(
  context: AnyLookupContext,
  kind: KindName,
  selector: string,
  parents: Parents,
): Promise<Located> {
  const { selectors, parent } = kindTable[kind]
  const byId = isUuid(selector)
  if (selectors && byId && hasParents(kind, parents)) throw fail.invalidRequest(selectors.both)
  let rows = candidates(context, kind)
  let above: { row: AnyRow; scope: Scope } | undefined
  if (parent === 'silo' && parents.silo) {
    // The named silo may be another one than the caller's.
    above = await findParent(context, 'silo', parents.silo, {})
    rows = anyRowsOf(context.db, kind)
      .selectAll()
      .$castTo<AnyRow>()
      .where(parentColumn(kind), '=', above.row.id)
  }
  if (byId) {
    rows = rows.where('its.id', '=', selector)
  } else {
    if (selectors && !above) {
      const parentSelector = parents[parent as KindName]
      if (!parentSelector) throw fail.invalidRequest(selectors.neither)
      above = await findParent(context, parent as KindName, parentSelector, parents)
      rows = rows.where(parentColumn(kind), '=', above.row.id)
    }
    rows = rows.where('its.name', '=', selector)
  }
  const row = await rows.executeTakeFirst()
  const missing = () => notFound(kind, selector)
  if (!row) throw missing()
  const scope = above?.scope ?? (await scopeOf(context, kind, row))
  if (!may(context.actor, 'read', kind, scope)) throw missing()
  note(context, kind, row, scope)
  authorize(context, kind, scope)
  return { row, scope }
}

/**
 * Finds a parent. The caller has to be allowed to read it, even if the operation needs another
 * action on the resource itself.
 */
const findParent = (
  context: AnyLookupContext,
  kind: KindName,
  selector: string,
  parents: Parents,
) => find({ ...lookupContextOf(context), requiredActions: readable }, kind, selector, parents)

/** A caller may be a whole context, so only the needed parts are copied. */
const lookupContextOf = ({ db, actor, audit }: Omit<AnyLookupContext, 'requiredActions'>) => ({
  db,
  actor,
  audit,
})

const readable = new Proxy({} as Record<KindName, Action>, { get: () => 'read' })

/**
 * Finds a resource by id alone, or by name and parents, and checks that the caller may do with it
 * what the operation needs.
 * @throws ApiError 400 for a wrong combination of selectors, the 404 of the outermost missing
 *   resource, or 403
 */
export async function lookup<K extends StoredName>(
  context: LookupContext<K>,
  kind: K,
  selector: string,
  parents: Parents = {},
): Promise<Row<K>> {
  const { row } = await find(context as unknown as AnyLookupContext, kind, selector, parents)
  return row as unknown as Row<K>
}

/**
 * Finds a resource of the caller's silo or account by id or name, for a rule that permits its use to
 * callers who may not read it. The caller of this function has checked the rule.
 * @returns undefined if there is none
 */
export async function lookupPermitted<K extends StoredName>(
  context: Omit<AnyLookupContext, 'requiredActions'>,
  kind: K,
  selector: string,
): Promise<Row<K> | undefined> {
  if (!isOwned(kind)) throw new Error(`${kind} is not found by its owner`)
  const row = await candidates(context, kind)
    .where(isUuid(selector) ? 'its.id' : 'its.name', '=', selector)
    .executeTakeFirst()
  if (!row) return undefined
  note(context, kind, row, { siloId: context.actor.siloId })
  return row as unknown as Row<K>
}

/** A resource of a kind that is known only at run time, with its silo and its project. */
export interface Located {
  row: AnyRow
  scope: Scope
}

/**
 * Finds a resource of any kind by its id, and checks that the caller may do what the operation
 * needs.
 * @throws ApiError 404 or 403
 */
export const locate = (
  context: LookupContext<KindName>,
  kind: KindName,
  id: string,
): Promise<Located> => find(context, kind, id, {})

/** The parents for a selector in a body: none if it is an id, the given ones if it is a name. */
export const ifNamed = (selector: string, parents: Parents): Parents =>
  isUuid(selector) ? {} : parents

/**
 * Adds required actions to a call of an operation that can be about several kinds and so declares
 * none.
 */
export const requiring = <K extends KindName>(
  context: Omit<AnyLookupContext, 'requiredActions'>,
  requiredActions: Readonly<Record<K, Action>>,
): LookupContext<K> => ({ ...lookupContextOf(context), requiredActions })

/**
 * Finds a resource that belongs to the caller, by id or by name. No permission is needed, because
 * resources of other users are not found. Callers with limits find none, unless the kind has `evenIfLimited`.
 * @throws ApiError 404
 */
export async function lookupOwn<K extends OwnKind & StoredName>(
  caller: Omit<AnyLookupContext, 'requiredActions'>,
  kind: K,
  selector: string,
): Promise<Row<K>> {
  const row = await candidates(caller, kind)
    .where(isUuid(selector) ? 'its.id' : 'its.name', '=', selector)
    .executeTakeFirst()
  const isHidden = caller.actor.limits && !storedKind(kind).evenIfLimited
  if (!row || isHidden) throw notFound(kind, selector)
  note(caller, kind, row, { siloId: caller.actor.siloId })
  return row as unknown as Row<K>
}

/**
 * @throws ApiError 400 if another resource of the kind has the name in the same parent
 * @param parentId id of the project, silo or user in which the name must be unique
 */
export async function requireFreeName(
  db: Db,
  kind: StoredName,
  parentId: string,
  name: string,
): Promise<void> {
  const taken = await anyRowsOf(db, kind)
    .select('its.id')
    .where(parentColumn(kind), '=', parentId)
    .where('its.name', '=', name)
    .executeTakeFirst()
  if (!taken) return
  const { type, namedType = type } = kindTable[kind]
  throw fail.alreadyExists(namedType, name)
}
