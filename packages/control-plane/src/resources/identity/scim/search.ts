/** Queries in the body of a POST to `.search` (RFC 7644, section 3.4.3). */
import { scimSchemas } from '@steading/api/rules'
import { bad } from './errors.ts'
import type { ListPage } from './resource.ts'
import { objectOf, property, requireSchema } from './values.ts'

/** The query of a list, spelled like its parameters. */
export type ListQuery = Partial<
  Record<'attributes' | 'excludedAttributes' | 'filter' | keyof ListPage, string>
>

/** Property of a search request → type of its value. */
const properties = {
  attributes: 'list',
  excludedAttributes: 'list',
  filter: 'text',
  startIndex: 'number',
  count: 'number',
} as const satisfies Record<keyof ListQuery, string>

/**
 * The query in a search request. Lists of attributes may be arrays, numbers may be text, and
 * sorting is ignored, because the service provider's configuration does not offer it.
 * @throws ApiError 400 `invalidSyntax` for another kind of message, `invalidValue` for a value of
 *   another type
 */
export function searchQueryOf(body: unknown): ListQuery {
  const request = objectOf(body, 'The body')
  requireSchema(request, scimSchemas.search)
  const query: ListQuery = {}
  for (const [name, type] of Object.entries(properties) as [keyof ListQuery, string][]) {
    const value = property(request, name)
    if (value === undefined || value === null) continue
    const isList =
      type === 'list' && Array.isArray(value) && value.every((each) => typeof each === 'string')
    if (isList) query[name] = value.join(',')
    else if (typeof value === 'string' || (type === 'number' && typeof value === 'number')) {
      query[name] = String(value)
    } else throw bad('invalidValue', `${name} has a value of another type`)
  }
  return query
}
