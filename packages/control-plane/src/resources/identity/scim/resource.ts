/** Resources in SCIM: their addresses, versions and pages. */
import {
  RESOURCE_CHANGED,
  SCIM_PAGE,
  SCIM_PAGE_MAX,
  SCIM_PATH,
  scimMessages,
  scimSchemas,
} from '@steading/api/rules'
import type { Context } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { allAttributes, isSchemaOf, named, type ResourceType } from './attributes.ts'
import { bad } from './errors.ts'
import { type ComparedValue, parseFilter } from './filter.ts'
import { equalities } from './matches.ts'
import { selected, type Selection } from './selection.ts'
import type { Values } from './values.ts'

/** The part of a call that all handlers of SCIM use. */
export type Call = Pick<Context, 'db' | 'http' | 'services'>

/** The silo whose identity provider calls. @throws ApiError 401 */
export function siloOf({ http }: Pick<Call, 'http'>): string {
  if (!http.scim) throw fail.unauthorized()
  return http.scim.siloId
}

/** The address of a resource, or of a list of them. */
export const locationOf = ({ http }: Pick<Call, 'http'>, endpoint: string, id?: string): string =>
  [new URL(http.request.url).origin + SCIM_PATH, endpoint, ...(id === undefined ? [] : [id])].join(
    '/',
  )

/** The columns of a resource besides its own attributes. */
export interface Identified {
  id: string
  externalId: string | null
  time_created: string
  time_modified: string
}

/**
 * The SCIM form of a resource.
 * @param version a text that differs between any two states of the resource
 */
export function resourceOf(
  call: Call,
  type: ResourceType,
  { id, externalId, time_created, time_modified }: Identified,
  attributes: Values,
  version: string,
): Values {
  return {
    schemas: [type.schema],
    id,
    ...(externalId === null ? {} : { externalId }),
    ...attributes,
    meta: {
      resourceType: type.name,
      created: time_created,
      lastModified: time_modified,
      location: locationOf(call, type.endpoint, id),
      version: `W/"${call.services.native.sha256Of(version).slice(0, 32)}"`,
    },
  }
}

const versionOf = (resource: Values): string => (resource.meta as { version: string }).version

/** Answers with one resource; its address and version are also headers. */
export function answered(
  { http }: Pick<Call, 'http'>,
  type: ResourceType,
  selection: Selection,
  resource: Values,
): Values {
  http.responseHeaders.set('etag', versionOf(resource))
  http.responseHeaders.set('location', (resource.meta as { location: string }).location)
  return selected(type, selection, resource)
}

/** Whether the client permits a change only in a state that it knows. */
export const isConditional = ({ http }: Pick<Call, 'http'>): boolean =>
  http.request.headers.has('if-match')

/** @throws ApiError 412 if the client knows an older state of a resource */
export function requireVersion({ http }: Pick<Call, 'http'>, resource: Values): void {
  const known = http.request.headers.get('if-match')
  if (known === null || known.trim() === '*') return
  const versions = known.split(',').map((each) => each.trim())
  if (!versions.includes(versionOf(resource))) throw fail.scim(412, undefined, RESOURCE_CHANGED)
}

/** A whole number of the query. */
function numberOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^[+-]?\d{1,15}$/.test(text)) throw bad('invalidValue', `${name} must be a whole number`)
  return Number(text)
}

export interface ListPage {
  /** From 1. */
  startIndex: number
  count: number
}

/** The requested page of a list. Numbers below the minimum count as the minimum. */
export const pageOf = (query: { startIndex?: string; count?: string }): ListPage => ({
  startIndex: Math.max(1, numberOf(query.startIndex, 'startIndex') ?? 1),
  count: Math.min(SCIM_PAGE_MAX, Math.max(0, numberOf(query.count, 'count') ?? SCIM_PAGE)),
})

export const listOf = (
  resources: readonly Values[],
  totalResults: number,
  { startIndex }: Pick<ListPage, 'startIndex'>,
): Values => ({
  schemas: [scimSchemas.list],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

/** Attribute → adds a condition for its value to a query. */
export type Conditions<Rows> = Record<string, (rows: Rows, value: string) => Rows>

const whole = (text: string): string => text.toLowerCase()

/**
 * Adds the conditions of a filter to a query: comparisons with `eq`, joined with `and`.
 * @throws ApiError 400 for any other filter
 */
export function filtered<Rows>(
  type: ResourceType,
  text: string | undefined,
  conditions: Conditions<Rows>,
  rows: Rows,
): Rows {
  if (text === undefined || text === '') return rows
  const names = Object.keys(conditions)
  const unsupported = () => bad('invalidFilter', scimMessages.unsupportedFilter(names))
  const terms = equalities(parseFilter(text))
  if (!terms) throw unsupported()
  return terms.reduce((found, { path, value }: { path: PathOf; value: ComparedValue }) => {
    const attribute = isSchemaOf(type, path.schema) && named(allAttributes(type), path.name)
    const condition = names.find((name) => attribute && whole(name) === whole(attribute.name))
    if (!condition || (path.sub && whole(path.sub) !== 'value') || typeof value !== 'string') {
      throw unsupported()
    }
    return conditions[condition]!(found, value)
  }, rows)
}
type PathOf = NonNullable<ReturnType<typeof equalities>>[number]['path']
