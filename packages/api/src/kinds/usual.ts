/**
 * Derives the operations of a kind from its declaration. A row of `usual('disk', { item: Disk })` has
 * only the columns that differ from the usual ones; its id decides about the rest:
 *
 * - `disk_list` is `GET /v1/disks?project=…`, for callers who may list the project; its answer is a
 * page of disks
 * - `disk_search` is the same under `/x`, with search, filters and sorting
 * - `disk_create` is `POST /v1/disks?project=…`, for callers who may create in the project
 * - `disk_view`, `disk_update` and `disk_delete` are `GET`, `PUT` and `DELETE /v1/disks/{disk}`, for
 * callers who may read or modify the disk
 * - `disk_deletion` is `GET /x/v1/disks/{disk}/deletion`, the preview of a deletion
 * - any other, such as `disk_resize`, is an action: `POST /v1/disks/{disk}/resize`, for callers who
 * may modify the disk; its answer is 202 with the disk
 */
import { withArticle } from '../rules/texts.ts'
import { isInProject, type KindName, type kinds, kindsWithinProject, kindTable } from './kinds.ts'
import { extensionPath, type Operation, type Permission } from '../operation.ts'
import { paged, type PagedBy } from '../paging.ts'
import { type Fields, NameOrId, namedSchemas, resultsPage, type Schema, uuid } from '../schema.ts'
import { type SearchFilters, searchQuery, searchResultsPage } from '../searched.ts'
import { Deletion } from '../workspace/deletion/schemas.ts'

/** Rows that most kinds have, and the action that each needs on the container or on the resource. */
const verbs = {
  list: { method: 'GET', on: 'container', action: 'list' },
  search: { method: 'GET', on: 'container', action: 'list' },
  create: { method: 'POST', on: 'container', action: 'create' },
  view: { method: 'GET', on: 'resource', action: 'read' },
  update: { method: 'PUT', on: 'resource', action: 'modify' },
  delete: { method: 'DELETE', on: 'resource', action: 'modify' },
  /** Preview of the deletion. */
  deletion: { method: 'GET', on: 'resource', action: 'read' },
} as const
type Verb = keyof typeof verbs

/**
 * Containers whose row of the permission matrix does not decide who lists and creates what is in
 * them: the row of each kind does.
 */
const outerContainers = ['fleet', 'silo', 'silo_user'] as const

/** Status of success by method; a creation has 201. */
const statuses = { GET: 200, POST: 202, PUT: 200, DELETE: 204 } as const
type UsualMethod = keyof typeof statuses

/**
 * A row of `usual`: the columns of an operation that differ from the usual ones, and further columns
 * that stand for several of these.
 */
export interface UsualRow extends Partial<
  Omit<Operation, 'method' | 'path' | 'kind' | 'scan' | 'websocket'>
> {
  /**
   * Another method and path: that of the resource, beneath it, or from the root (`GET`, `GET disks`,
   * `GET /v1/disks`). A path from the root has no selectors.
   */
  route?: UsualMethod | `${UsualMethod} ${string}`
  /** Not part of the original API: the path begins with `/x`. */
  extension?: true
  /** The answer; the resource unless given. */
  answer?: Schema
  /** The answer is a page of these items. */
  pages?: Schema
  /** Order of the pages; by name or id unless given. */
  sort?: PagedBy
  /** Parameters of the first page; those of a list are the nearest selector unless given. */
  required?: readonly string[]
  /** Sort columns of a search besides those of every resource: name, description, creation. */
  columns?: readonly string[]
  /** All sort columns, of a search that lacks some of those. */
  allColumns?: readonly string[]
  /** Filters of a search. */
  filters?: SearchFilters
  /** Name of the items in the schemas of a search, if it is not that of the resource. */
  items?: string
}

/** Values that all rows of a call of `usual` share. */
export interface UsualHead {
  /** Schema of the resource, the answer of most rows. */
  item?: Schema
  /**
   * Beginning of the ids; the name of the kind unless given. A row whose id begins differently is
   * here for its place in the document, and has to state its route.
   */
  id?: string
  /** Path of a resource; `/v1/vpcs/{vpc}` unless given. */
  path?: string
  /** Tag in the document; the path of the list unless given. */
  tag?: string
  /** Parameters that select containers, the nearest last; those within the project unless given. */
  selectors?: readonly string[]
  /** Parameters of paths that are not ids in `…_id`, nor names or ids. */
  params?: Fields
  /** Permission of the rows that state none. */
  permission?: Permission
  evenIfLimited?: true
}

type ContainerOf<Kind extends KindName> = (typeof kinds)[Kind] extends {
  parent: infer Parent extends KindName
}
  ? Parent extends (typeof outerContainers)[number]
    ? Kind
    : Parent
  : Kind

/** The type of what `usualPermission` returns: the same rule, as a function has no literal type. */
type UsualPermission<Kind extends KindName, Name, Row> = Name extends Verb
  ? {
      readonly [
        K in (typeof verbs)[Name]['on'] extends 'container' ? ContainerOf<Kind> : Kind
      ]: (typeof verbs)[Name]['action']
    }
  : { readonly [K in Kind]: Row extends { route: 'GET' | `GET ${string}` } ? 'read' : 'modify' }

/** The permission of a row, or else that of all rows, or else the usual one. */
type PermissionOf<Kind extends KindName, Head, Prefix extends string, Id, Row> = Row extends {
  permission: infer P extends Permission
}
  ? P
  : Head extends { permission: infer P extends Permission }
    ? P
    : UsualPermission<Kind, Id extends `${Prefix}_${infer Name}` ? Name : Id, Row>

type PrefixOf<Kind, Head> = Head extends { id: infer Id extends string } ? Id : Kind & string

type WithBody<Row> = Row extends { body: Schema } ? { body: Schema } : unknown

/** The operations. Their permissions decide what the handlers may look up. */
type UsualOperations<Kind extends KindName, Head, Prefix extends string, Rows> = {
  readonly [Id in keyof Rows]: Operation<PermissionOf<Kind, Head, Prefix, Id, Rows[Id]>> &
    WithBody<Rows[Id]>
}

/** Refuses misspelt columns, which a type parameter would accept. */
type Known<Rows> = {
  [Name in keyof Rows]: { [C in keyof Rows[Name]]: C extends keyof UsualRow ? unknown : never }
}

function usualSummary(kind: KindName, name: string): string {
  const { words, parent } = kindTable[kind]
  const container = isInProject(kind) && kindTable[parent as KindName].words
  const summaries: Record<string, string> = {
    list: container ? `List the ${words}s of ${withArticle(container)}` : `List ${words}s`,
    create: `Create ${withArticle(words)}`,
    view: `Show ${withArticle(words)}`,
    update: `Rename or describe ${withArticle(words)}`,
    delete: `Delete ${withArticle(words)}`,
    deletion: `Preview the deletion of ${withArticle(words)}`,
  }
  const summary = summaries[name]
  if (summary === undefined) throw new Error(`${name} of ${kind} has no summary`)
  return summary
}

function usualPermission(kind: KindName, name: string, method: UsualMethod): Permission {
  if (!(name in verbs)) return { [kind]: method === 'GET' ? 'read' : 'modify' }
  const { on, action } = verbs[name as Verb]
  const parent = kindTable[kind].parent as KindName | undefined
  const isInside = parent && !(outerContainers as readonly string[]).includes(parent)
  return { [on === 'container' && isInside ? parent : kind]: action }
}

const listPathOf = (resourcePath: string): string =>
  resourcePath.slice(0, resourcePath.lastIndexOf('/'))

function routeOf(name: string, row: UsualRow, resourcePath: string): [UsualMethod, string] {
  if (row.route) {
    const [method, path] = row.route.split(' ') as [UsualMethod, string?]
    return [method, path?.startsWith('/') ? path : [resourcePath, path].filter(Boolean).join('/')]
  }
  if (name === 'deletion') return ['GET', extensionPath(`${resourcePath}/deletion`)]
  if (!(name in verbs)) return ['POST', `${resourcePath}/${name}`]
  const { method, on } = verbs[name as Verb]
  return [method, on === 'container' ? listPathOf(resourcePath) : resourcePath]
}

/** Parameters of a path: ids if they end in `_id`, otherwise names or ids, unless stated. */
const paramsOf = (path: string, stated: Fields): Fields =>
  Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [
      name!,
      stated[name!] ?? (name!.endsWith('_id') ? uuid : NameOrId),
    ]),
  )

const selectorsOf = (kind: KindName, { selectors }: UsualHead): readonly string[] =>
  selectors ?? (isInProject(kind) ? ['project', ...kindsWithinProject(kind).toReversed()] : [])

const optional = (selectors: readonly string[]): Fields =>
  Object.fromEntries(selectors.map((selector) => [selector, NameOrId.optional()]))

function usualOperation(kind: KindName, head: UsualHead, name: string, row: UsualRow): Operation {
  const { item, path: resourcePath = `/v1/${kindTable[kind].resource}/{${kind}}` } = head
  const isFromRoot = row.route?.includes(' /')
  const selectors = isFromRoot ? [] : selectorsOf(kind, head)
  const nearest = selectors.slice(-1)
  const {
    route: _,
    extension,
    answer = name === 'deletion' ? Deletion : undefined,
    pages = name === 'list' && !answer ? item : undefined,
    sort = pages && 'name_or_id',
    required = name === 'list' ? nearest : [],
    ...special
  } = row
  const [method, plainPath] = routeOf(name, row, resourcePath)
  const schema = answer ?? (pages ? resultsPage(pages) : item)
  if (!schema && !special.success && method !== 'DELETE') {
    throw new Error(`${name} of ${kind} has no answer`)
  }
  const path = extension ? extensionPath(plainPath) : plainPath
  const query = {
    ...optional(selectors),
    ...(name === 'create' && Object.fromEntries(nearest.map((selector) => [selector, NameOrId]))),
    ...special.query,
  }
  const usualTag = path.startsWith('/x/')
    ? 'extensions'
    : (head.tag ?? listPathOf(resourcePath).slice('/v1/'.length))
  return {
    ...(head.evenIfLimited && { evenIfLimited: true }),
    ...special,
    kind,
    method,
    path,
    tags: special.tags ?? [usualTag],
    summary: special.summary ?? usualSummary(kind, name),
    permission: special.permission ?? head.permission ?? usualPermission(kind, name, method),
    success: special.success ?? {
      status: name === 'create' ? 201 : statuses[method],
      ...(method !== 'DELETE' && { schema }),
    },
    params: paramsOf(path, { ...head.params, ...special.params }),
    ...(sort ? paged(sort, query, required) : { query }),
  }
}

/** Completes the row of a search, an extension of the list. There may be no row of a list. */
function searchRow(kind: KindName, { item }: UsualHead, row: UsualRow, list: UsualRow): UsualRow {
  const {
    summary = list.summary ?? usualSummary(kind, 'list'),
    query,
    columns = [],
    allColumns = ['name', 'natural_name', 'description', ...columns, 'time_created'],
    filters = {},
    pages = item!,
    items = namedSchemas.get(item!)!.id,
    ...special
  } = row
  return {
    ...special,
    extension: true,
    summary: summary.replace(/^List/, 'Search, filter and sort'),
    query: { ...query, ...searchQuery(filters) },
    sort: { kind: items, columns: allColumns },
    answer: searchResultsPage(items, pages, Object.keys(filters).length > 0),
  }
}

/**
 * Derives operations of a kind, see the top of this file.
 * @param head values that all rows share
 * @returns a function that completes rows by their ids; the document has them in the same order
 * @throws Error for a row without a summary, a route or an answer, where it has no usual one
 */
export const usual =
  <const Kind extends KindName, const Head extends UsualHead = {}>(kind: Kind, head = {} as Head) =>
  <const Rows extends Readonly<Record<string, UsualRow>>>(
    rows: Rows & Known<Rows>,
  ): UsualOperations<Kind, Head, PrefixOf<Kind, Head>, Rows> => {
    const prefix = `${head.id ?? kind}_`
    const list = rows[`${prefix}list`] ?? {}
    const table: Record<string, Operation> = {}
    for (const [id, row] of Object.entries<UsualRow>(rows)) {
      const isOwn = id.startsWith(prefix)
      if (!isOwn && !row.route) throw new Error(`${id} of ${kind} has no route`)
      const name = isOwn ? id.slice(prefix.length) : id
      table[id] =
        name === 'search'
          ? usualOperation(kind, head, 'list', searchRow(kind, head, row, list))
          : usualOperation(kind, head, name, row)
    }
    return table as UsualOperations<Kind, Head, PrefixOf<Kind, Head>, Rows>
  }
