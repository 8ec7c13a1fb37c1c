/** The attributes of a resource that the client wants (RFC 7644, section 3.9). */
import { allAttributes, isSchemaOf, named, type ResourceType } from './attributes.ts'
import { bad } from './errors.ts'
import { attributePathOf } from './filter.ts'
import type { Values } from './values.ts'

/** Attribute → its selected parts, or all of them. */
type Names = Map<string, Set<string> | 'all'>

export interface Selection {
  only?: Names
  without?: Names
}

interface Query {
  attributes?: string
  excludedAttributes?: string
}

/** Names that a resource does not have are ignored. */
function namesOf(type: ResourceType, text: string): Names {
  const names: Names = new Map()
  for (const each of text.split(',')) {
    const path = attributePathOf(each.trim())
    const attribute = path && isSchemaOf(type, path.schema) && named(allAttributes(type), path.name)
    if (!attribute) continue
    const before = names.get(attribute.name)
    const part = path.sub === undefined ? undefined : named(attribute.sub, path.sub)?.name
    if (path.sub === undefined) names.set(attribute.name, 'all')
    else if (part && before !== 'all') names.set(attribute.name, new Set([...(before ?? []), part]))
  }
  return names
}

/** @throws ApiError 400 for a query that has both */
export function selectionOf(type: ResourceType, query: Query): Selection {
  const { attributes, excludedAttributes } = query
  if (attributes && excludedAttributes) {
    throw bad('invalidValue', 'attributes and excludedAttributes cannot be used together')
  }
  return {
    only: attributes ? namesOf(type, attributes) : undefined,
    without: excludedAttributes ? namesOf(type, excludedAttributes) : undefined,
  }
}

/** Whether an attribute is needed for the answer. */
export const isWanted = ({ only, without }: Selection, name: string): boolean =>
  only ? only.has(name) : without?.get(name) !== 'all'

const partsOf = (value: unknown, keep: (name: string) => boolean): unknown =>
  Array.isArray(value)
    ? value.map((each) => partsOf(each, keep))
    : Object.fromEntries(Object.entries(value as Values).filter(([name]) => keep(name)))

/** The selected attributes of a resource. */
export function selected(type: ResourceType, selection: Selection, resource: Values): Values {
  const { only, without } = selection
  if (!only && !without) return resource
  const result: Values = {}
  for (const { name, returned } of allAttributes(type)) {
    const value = resource[name]
    if (value === undefined) continue
    const wanted = only?.get(name)
    const unwanted = without?.get(name)
    if (returned === 'always' || wanted === 'all' || (!only && !unwanted)) result[name] = value
    else if (wanted) result[name] = partsOf(value, (part) => wanted.has(part))
    else if (unwanted && unwanted !== 'all') {
      result[name] = partsOf(value, (part) => !unwanted.has(part))
    }
  }
  return result
}
