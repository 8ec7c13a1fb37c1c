/** Parses the values of attributes sent by clients. */
import {
  nameTextProblem,
  SCIM_TEXT_MAX,
  SCIM_VALUES_MAX,
  scimSchemas,
  textProblem,
} from '@steading/api/rules'
import {
  allAttributes,
  type Attribute,
  isDropped,
  isSchemaOf,
  named,
  type ResourceType,
} from './attributes.ts'
import { bad } from './errors.ts'
import { attributePathOf } from './filter.ts'

/** Name → value, with the names as declared. Attributes without a value are left out. */
export type Values = Record<string, unknown>

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws ApiError 400 `invalidSyntax` for anything but a JSON object */
export function objectOf(value: unknown, what: string): Record<string, unknown> {
  if (!isObject(value)) throw bad('invalidSyntax', `${what} must be a JSON object`)
  return value
}

/** A property of an object sent by a client; names are case-insensitive. */
export function property(object: Record<string, unknown>, name: string): unknown {
  const key = Object.keys(object).find((each) => each.toLowerCase() === name.toLowerCase())
  return key === undefined ? undefined : object[key]
}

/** @throws ApiError 400 `invalidSyntax` if a body claims another schema */
export function requireSchema(body: Record<string, unknown>, schema: string): void {
  const schemas = property(body, 'schemas')
  if (schemas === undefined || schemas === null) return
  const isOf =
    Array.isArray(schemas) &&
    schemas.some((each) => typeof each === 'string' && each.toLowerCase() === schema.toLowerCase())
  if (!isOf) throw bad('invalidSyntax', `schemas must contain ${schema}`)
}

function readText({ visible }: Attribute, value: unknown, label: string): string {
  if (typeof value !== 'string') throw bad('invalidValue', `${label} must be a string`)
  const problem = visible
    ? nameTextProblem(value, { joiners: visible === 'joined' })
    : textProblem(value)
  if (problem) throw bad('invalidValue', `${label}: ${problem}`)
  if (value.length > SCIM_TEXT_MAX) {
    throw bad('invalidValue', `${label} is longer than ${SCIM_TEXT_MAX} characters`)
  }
  return value
}

/** Some clients send booleans as text. */
function readBoolean(value: unknown, label: string): boolean {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  if (word !== 'true' && word !== 'false') {
    throw bad('invalidValue', `${label} must be true or false`)
  }
  return word === 'true'
}

/** The parts of a complex value. Undeclared parts are left out. */
function readParts({ sub = [] }: Attribute, value: unknown, label: string): Values | undefined {
  if (!isObject(value)) throw bad('invalidValue', `${label} must be a JSON object`)
  const parts: Values = {}
  for (const [key, each] of Object.entries(value)) {
    const part = named(sub, key)
    if (!part) continue
    const read = readValue(part, each, `${label}.${part.name}`)
    if (read !== undefined) parts[part.name] = read
  }
  return Object.keys(parts).length > 0 ? parts : undefined
}

/** One value of an attribute; undefined for an empty one. */
export function readValue(attribute: Attribute, value: unknown, label = attribute.name): unknown {
  if (value === null || value === undefined) return undefined
  switch (attribute.type) {
    case 'string':
    case 'reference':
      return readText(attribute, value, label)
    case 'boolean':
      return readBoolean(value, label)
    case 'complex':
      return readParts(attribute, value, label)
  }
}

/** All values of a multi-valued attribute. A single value need not be in an array. */
export function readMany(attribute: Attribute, value: unknown): unknown[] {
  if (value === null || value === undefined) return []
  const values = Array.isArray(value) ? value : [value]
  return values.map((each) => readValue(attribute, each)).filter((each) => each !== undefined)
}

/**
 * Consistent values of one attribute.
 * @throws ApiError 400 for too many
 */
export function settled({ name }: Attribute, values: readonly unknown[]): Values[] {
  if (values.length > SCIM_VALUES_MAX) {
    throw bad('invalidValue', `${name} has more than ${SCIM_VALUES_MAX} values`)
  }
  // The newest primary value replaces the previous one.
  const last = values.findLastIndex((value) => (value as Values).primary === true)
  return (values as Values[]).map((value, index) =>
    value.primary === true && index !== last ? { ...value, primary: false } : value,
  )
}

/** @throws ApiError 400 if the name of a resource is missing or blank */
export function requiredText(value: unknown, name: string): string {
  if (typeof value !== 'string' || value.trim() === '') {
    throw bad('invalidValue', `${name} is required`)
  }
  return value
}

/**
 * The writable attributes of a body, without read-only attributes and those that are not stored.
 * @param skip attributes that the caller reads itself
 */
export function readResource(
  type: ResourceType,
  body: unknown,
  skip: readonly string[] = [],
): Values {
  const sent = objectOf(body, 'The body')
  requireSchema(sent, type.schema)
  const values: Values = {}
  for (const [key, value] of Object.entries(sent)) {
    const attribute = writable(type, key)
    if (!attribute || skip.includes(attribute.name)) continue
    const read = attribute.multiValued
      ? settled(attribute, readMany(attribute, value))
      : readValue(attribute, value)
    if (read !== undefined) values[attribute.name] = read
  }
  return values
}

/** The attribute of a property in a body; undefined if it is not writable. */
export function writable(type: ResourceType, key: string): Attribute | undefined {
  const path = attributePathOf(key)
  if (!path || path.sub || !isSchemaOf(type, path.schema)) return undefined
  if (isDropped(type, path.schema, path.name)) return undefined
  const attribute = named(allAttributes(type), path.name)
  return attribute?.mutability === 'readOnly' || attribute?.name === 'schemas'
    ? undefined
    : attribute
}

export interface PatchOperation {
  op: 'add' | 'replace' | 'remove'
  path: string | undefined
  value: unknown
}

const words = ['add', 'replace', 'remove'] as const

/**
 * The operations of a PATCH. Some clients capitalise their names.
 * @throws ApiError 400
 */
export function readOperations(body: unknown, max: number): PatchOperation[] {
  const sent = objectOf(body, 'The body')
  requireSchema(sent, scimSchemas.patch)
  const operations = property(sent, 'Operations')
  if (!Array.isArray(operations) || operations.length === 0) {
    throw bad('invalidSyntax', 'Operations must be an array with an operation')
  }
  if (operations.length > max) throw bad('invalidValue', `More than ${max} operations`)
  return operations.map((each) => {
    const operation = objectOf(each, 'An operation')
    const name = property(operation, 'op')
    const op = words.find((word) => typeof name === 'string' && word === name.toLowerCase())
    if (!op) throw bad('invalidSyntax', 'op must be "add", "replace" or "remove"')
    const path = property(operation, 'path') ?? undefined
    if (path !== undefined && typeof path !== 'string') {
      throw bad('invalidPath', 'path must be a string')
    }
    const value = property(operation, 'value')
    if (op === 'remove' && path === undefined) {
      throw bad('noTarget', 'An operation that removes something must have a path')
    }
    if (op !== 'remove' && value === undefined) {
      throw bad('invalidValue', `An operation "${op}" must have a value`)
    }
    return { op, path, value }
  })
}
