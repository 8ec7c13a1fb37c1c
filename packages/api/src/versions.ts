/**
 * Changes to the wire format, and the conversions for older clients. A change is declared beside
 * its schema; requests and answers are converted wherever that schema occurs in them. Versions and
 * changes: control plane 1.3.
 */
import * as z from 'zod'
import { isJsonObject } from './describe-json.ts'
import { API_VERSION } from './rules/limits.ts'
import { bare, maxItemsOf, maxKeysOf, type Schema, schemasInside } from './schema.ts'

/** Significant part of an API version: 2026060500 of `2026060500.0.0`. */
export type ApiVersion = number

/** Number of a version in semver text. */
export const apiVersionNumber = (version: string): ApiVersion =>
  Number(version.slice(0, version.indexOf('.')))

/** Version of clients that name none. */
export const NEWEST_API_VERSION = apiVersionNumber(API_VERSION)

/** A change of a schema, and its conversions for older clients. */
export interface SchemaChange {
  /** First version with the new shape; older clients use the old one. */
  until: ApiVersion
  /**
   * Converts a non-null value from older clients, before validation. A value in the current
   * spelling is returned unchanged.
   * @throws ParseError for contradictions that only the old shape can express
   */
  upgradeRequest?: (value: unknown) => unknown
  /**
   * Converts a value for older clients, adding the fields they need.
   * @throws NotAcceptableError for a value that older clients cannot read
   */
  presentResponse?: (value: unknown) => unknown
}

/**
 * Fields of an answer for older clients only: `presentResponse` takes them from here, and JSON
 * omits symbol keys.
 */
export const FORMER_FIELDS = Symbol('former fields')

/** An answer contains a value that the client's version cannot express. */
export class NotAcceptableError extends Error {}

const changesOf = new WeakMap<Schema, readonly SchemaChange[]>()
/** Newest change: only older clients may need a conversion. */
let newestChange: ApiVersion = 0

/**
 * Declares the changes of a schema.
 * @param schema a schema of its own, not a shared scalar
 * @param changes oldest first
 */
export function changed<S extends Schema>(schema: S, ...changes: SchemaChange[]): S {
  changesOf.set(schema, changes)
  newestChange = Math.max(newestChange, ...changes.map(({ until }) => until))
  return schema
}

const known = new WeakMap<Schema, boolean>()
/** Whether a change has been declared for a schema or for something inside of it. */
function hasChanges(wrapped: Schema): boolean {
  const schema = bare(wrapped)
  let found = known.get(schema)
  if (found === undefined) {
    // Marks a recursive schema as visited.
    known.set(schema, false)
    found = changesOf.has(schema) || schemasInside(schema).some(hasChanges)
    known.set(schema, found)
  }
  return found
}

type Convert = (schema: Schema, value: unknown) => unknown

const fieldsOf = new WeakMap<z.ZodObject, [key: string, schema: Schema][]>()
/** Fields of an object with declared changes; cached, because lists ask for them per row. */
function changedFields(schema: z.ZodObject): [key: string, schema: Schema][] {
  let fields = fieldsOf.get(schema)
  if (!fields) {
    const all = Object.entries(schema.shape as Record<string, Schema>)
    fields = all.filter(([, field]) => hasChanges(field))
    fieldsOf.set(schema, fields)
  }
  return fields
}

/** Converts the contents of a value; one that is too long or does not fit its schema is unchanged. */
function convertInside(schema: Schema, value: unknown, convert: Convert): unknown {
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    if (value.length > maxItemsOf(schema)) return value
    return value.map((item) => convert(schema.element as Schema, item))
  }
  if (!isJsonObject(value)) return value
  if (schema instanceof z.ZodObject) {
    let converted = value
    for (const [key, field] of changedFields(schema)) {
      if (!Object.hasOwn(value, key)) continue
      const inner = convert(field, value[key])
      if (inner !== value[key]) converted = { ...converted, [key]: inner }
    }
    return converted
  }
  if (schema instanceof z.ZodRecord) {
    if (Object.keys(value).length > maxKeysOf(schema)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => [
        key,
        convert(schema.valueType as Schema, field),
      ]),
    )
  }
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const tag = schema.def.discriminator
    const variant = (schema.options as z.ZodObject[]).find((option) =>
      (option.shape[tag] as z.ZodLiteral).values.has(value[tag] as string),
    )
    return variant ? convertInside(variant, value, convert) : value
  }
  return value
}

const isNothing = (value: unknown): boolean => value === null || value === undefined

/** Clients that name no version may use any former spelling. */
const ANY_SPELLING: ApiVersion = 0

/**
 * A value of a request in the spelling of the newest version.
 * @param version of the client; undefined if it names none, and any spelling is accepted
 * @throws ParseError see `SchemaChange`
 */
export function upgradeRequest(
  wrapped: Schema,
  value: unknown,
  version: ApiVersion = ANY_SPELLING,
): unknown {
  if (isNothing(value) || version >= newestChange || !hasChanges(wrapped)) return value
  const schema = bare(wrapped)
  const upgraded = (changesOf.get(schema) ?? [])
    .filter(({ until }) => version < until)
    .reduce((current, { upgradeRequest: upgrade }) => upgrade?.(current) ?? current, value)
  return convertInside(schema, upgraded, (inner, part) => upgradeRequest(inner, part, version))
}

/**
 * A value of an answer in the spelling of the client's version.
 * @throws NotAcceptableError see `SchemaChange`
 */
export function presentResponse(wrapped: Schema, value: unknown, version: ApiVersion): unknown {
  if (isNothing(value) || version >= newestChange || !hasChanges(wrapped)) return value
  const schema = bare(wrapped)
  const presented = convertInside(schema, value, (inner, part) =>
    presentResponse(inner, part, version),
  )
  return (changesOf.get(schema) ?? [])
    .filter(({ until }) => version < until)
    .reduceRight(
      (current, { presentResponse: present }) => present?.(current) ?? current,
      presented,
    )
}
