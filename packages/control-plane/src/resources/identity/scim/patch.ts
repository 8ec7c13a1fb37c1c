/** The effect of PATCH operations on the attributes of a resource (RFC 7644, section 3.5.2). */
import {
  allAttributes,
  type Attribute,
  isDropped,
  isDroppedSchema,
  isSchemaOf,
  named,
  type ResourceType,
} from './attributes.ts'
import { bad } from './errors.ts'
import { type Filter, parsePath } from './filter.ts'
import { equalities, matches } from './matches.ts'
import {
  objectOf,
  type PatchOperation,
  readMany,
  readValue,
  settled,
  type Values,
  writable,
} from './values.ts'

/** One change of one attribute. */
export interface Change {
  op: PatchOperation['op']
  attribute: Attribute
  filter?: Filter
  /** The changed part of a complex attribute. */
  part?: Attribute
  value: unknown
}

/** The target of an operation with a path; undefined for an attribute that is not stored. */
function targetOf(
  type: ResourceType,
  { op, value }: Pick<PatchOperation, 'op' | 'value'>,
  text: string,
): Change | undefined {
  if (isDroppedSchema(type, text)) return undefined
  const path = parsePath(text)
  if (isDropped(type, path.schema, path.name)) return undefined
  const attribute = isSchemaOf(type, path.schema) && named(allAttributes(type), path.name)
  if (!attribute) throw bad('invalidPath', `${type.name} has no attribute ${text}`)
  const part = path.sub === undefined ? undefined : named(attribute.sub, path.sub)
  if (path.sub !== undefined && !part) {
    throw bad('invalidPath', `${attribute.name} has no part ${path.sub}`)
  }
  if (path.filter && !attribute.multiValued) {
    throw bad('invalidPath', `${attribute.name} has only one value`)
  }
  if ((part ?? attribute).mutability === 'readOnly' || attribute.mutability === 'readOnly') {
    throw bad('mutability', `${text} cannot be changed`)
  }
  return { op, attribute, filter: path.filter, part, value }
}

/**
 * The changes of the given operations, in order. A value without a path is an object whose
 * properties are paths; properties of other attributes are left out.
 * @throws ApiError 400
 */
export const changesOf = (type: ResourceType, operations: readonly PatchOperation[]): Change[] =>
  operations
    .flatMap(({ op, path, value }): (Change | undefined)[] => {
      if (path !== undefined) return [targetOf(type, { op, value }, path)]
      return Object.entries(objectOf(value, 'The value of an operation without a path')).map(
        ([key, each]) => {
          if (/[.[]/.test(key.replace(/^urn:.*:/i, ''))) {
            return targetOf(type, { op, value: each }, key)
          }
          const attribute = writable(type, key)
          return attribute && { op, attribute, value: each }
        },
      )
    })
    .filter((change) => change !== undefined)

/** @throws ApiError 400 if a required attribute would be removed */
function removeWhole(values: Values, { name, required, initial }: Attribute): void {
  if (required) throw bad('mutability', `${name} cannot be removed`)
  if (initial === undefined) delete values[name]
  else values[name] = initial
}

/**
 * Changes a part of one value.
 * @returns the value, or undefined if nothing is left of it
 */
function withPart(value: Values, part: Attribute, change: Change): Values | undefined {
  const { [part.name]: _, ...rest } = value
  const read = change.op === 'remove' ? undefined : readValue(part, change.value)
  const changed = read === undefined ? rest : { ...value, [part.name]: read }
  return Object.keys(changed).length > 0 ? changed : undefined
}

function changeOne(values: Values, change: Change): void {
  const { op, attribute, part } = change
  const present = values[attribute.name] as Values | undefined
  if (part) {
    const changed = withPart(present ?? {}, part, change)
    if (changed) values[attribute.name] = changed
    else delete values[attribute.name]
    return
  }
  const read = op === 'remove' ? undefined : readValue(attribute, change.value)
  if (read === undefined) return removeWhole(values, attribute)
  values[attribute.name] = attribute.type === 'complex' ? { ...present, ...(read as Values) } : read
}

/** A value that matches a filter of comparisons: `add` creates it if there is none. */
function valueMatching(attribute: Attribute, filter: Filter): Values {
  const made: Values = {}
  for (const { path, value } of equalities(filter) ?? []) {
    const part = path.sub === undefined ? named(attribute.sub, path.name) : undefined
    if (!part) throw bad('invalidPath', `${attribute.name} has no part ${path.name}`)
    made[part.name] = readValue(part, value)
  }
  return made
}

/** Whether two values have the same parts. */
const equal = (a: Values, b: Values): boolean =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => a[name] === b[name])

function changeMany(present: readonly Values[], change: Change): unknown[] {
  const { op, attribute, filter, part, value } = change
  const { sub = [] } = attribute
  if (!filter && !part) {
    if (op === 'remove' && value === undefined) return []
    const read = readMany(attribute, value) as Values[]
    const isAmong = (values: readonly Values[], one: Values) =>
      values.some((each) => equal(each, one))
    if (op === 'replace') return read
    if (op === 'remove') return present.filter((each) => !isAmong(read, each))
    return [...present, ...read.filter((each) => !isAmong(present, each))]
  }
  const isMeant = (each: Values) => !filter || matches(filter, each, sub)
  // Evaluated even without a value, so that a mistake in the filter is reported.
  if (filter) matches(filter, {}, sub)
  const changed = (each: Values): Values | undefined => {
    if (part) return withPart(each, part, change)
    if (op === 'remove') return undefined
    const read = readValue(attribute, value) as Values | undefined
    return op === 'replace' ? read : { ...each, ...read }
  }
  if (!present.some(isMeant)) {
    if (op === 'remove') return [...present]
    if (op === 'replace' || !filter) {
      throw bad('noTarget', `No value of ${attribute.name} is meant by the path`)
    }
    return [...present, changed(valueMatching(attribute, filter))].filter(
      (each) => each !== undefined,
    )
  }
  return present
    .map((each) => (isMeant(each) ? changed(each) : each))
    .filter((each) => each !== undefined)
}

/**
 * The attributes after the changes.
 * @throws ApiError 400 for the first change that is not possible
 */
export function patched(before: Values, changes: readonly Change[]): Values {
  const values = { ...before }
  for (const change of changes) {
    const { attribute } = change
    if (!attribute.multiValued) {
      changeOne(values, change)
      continue
    }
    const present = (values[attribute.name] as Values[] | undefined) ?? []
    const changed = settled(attribute, changeMany(present, change))
    if (changed.length > 0) values[attribute.name] = changed
    else delete values[attribute.name]
  }
  return values
}
