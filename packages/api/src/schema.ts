/**
 * Vocabulary of the schemas of the contract: scalars that know both their form in the OpenAPI
 * document and the refusal of bad values, and helpers for objects and tagged unions.
 *
 * Types are not inferred from these values (that is slow for hundreds of operations); the generator
 * emits plain interfaces from the document instead.
 */
import * as z from 'zod'
import {
  describeJson,
  hasMoreValues,
  isJsonObject,
  tooLong,
  unknownVariant,
} from './describe-json.ts'
import { byteCountProblem } from './rules/bytes.ts'
import { DATE_TIME_MAX, FILTER_MAX, LONG_TEXT_MAX, SHORT_TEXT_MAX } from './rules/limits.ts'
import {
  DESCRIPTION_MAX,
  descriptionProblem,
  isUuid,
  NAME_MAX,
  nameProblem,
  UUID_LENGTH,
} from './rules/names.ts'
import {
  TAG_FILTER_MAX,
  TAG_KEY_MAX,
  TAG_MAX,
  tagFilterProblem,
  tagKeyPattern,
  tagKeyProblem,
  tagPattern,
  tagProblem,
} from './rules/tags.ts'
import { textProblem } from './rules/texts.ts'

export type Schema = z.ZodType
export type Fields = Record<string, Schema>
export type JsonSchema = Record<string, unknown>

/**
 * Name of the schema that a form in a document refers to. Whatever stands beside a reference, such as a
 * default, puts it into `allOf`.
 */
export function referredName(form: JsonSchema): string | undefined {
  const [first] = (form.allOf ?? []) as JsonSchema[]
  const reference = (form.$ref ?? first?.$ref) as string | undefined
  return reference?.split('/').at(-1)
}

/** Message of the issue for an absent value; `parse.ts` turns it into ``missing field `x` ``. */
export const MISSING = '\u0000missing'

/** Named schemas of the contract, by the name they have in `components.schemas`. */
export const namedSchemas = z.registry<{ id: string }>()

const wireForms = new WeakMap<Schema, JsonSchema>()

/** Declared JSON schema of a scalar; undefined for objects, arrays and unions. */
export function wireForm(schema: Schema): JsonSchema | undefined {
  const { parent } = schema._zod
  return wireForms.get(schema) ?? (parent && wireForm(parent as Schema))
}

/**
 * A leaf value.
 * @param json form in the OpenAPI document
 * @param problem of a value, or undefined if it is valid
 * @param normal canonical spelling of a valid value, seen by the rest of the program
 */
export function scalar(
  json: JsonSchema,
  problem: (value: unknown) => string | undefined,
  normal?: (value: string) => string,
): Schema {
  const schema = z.unknown().check((ctx) => {
    const message = ctx.value === undefined ? MISSING : problem(ctx.value)
    if (message !== undefined) {
      ctx.issues.push({ code: 'custom', message, input: ctx.value, continue: false })
    } else if (normal) {
      ctx.value = normal(ctx.value as string)
    }
  })
  wireForms.set(schema, json)
  return schema
}

/** Whether a value may be absent. */
export const isOptional = (schema: Schema): boolean => schema._zod.optin === 'optional'

/** The schema of a present value: without optional, nullable and default around it. */
export function bare(schema: Schema): Schema {
  return schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
    ? bare(schema.unwrap() as Schema)
    : schema
}

/** Schemas directly inside another: of properties, elements, values and variants. */
export function schemasInside(schema: Schema): Schema[] {
  if (schema instanceof z.ZodObject) return Object.values(schema.shape) as Schema[]
  if (schema instanceof z.ZodArray) return [schema.element as Schema]
  if (schema instanceof z.ZodRecord) return [schema.valueType as Schema]
  return schema instanceof z.ZodUnion ? (schema.options as Schema[]) : []
}

/**
 * A schema with a name in the document, where every use becomes a reference. It is a copy, since the
 * schema may be shared, such as {@link string}.
 */
export function named<S extends Schema>(id: string, schema: S): S {
  const copy = schema.clone()
  namedSchemas.add(copy, { id })
  return copy
}

export const object = (fields: Fields): Schema => z.object(fields)

/**
 * An object whose form in the document is not that of its fields.
 * @param problem with the combination of valid fields
 */
export function objectShownAs(
  json: JsonSchema,
  fields: Fields,
  problem: (value: never) => string | undefined,
): Schema {
  const schema = z.object(fields).check((ctx) => {
    const message = problem(ctx.value as never)
    if (message !== undefined) {
      ctx.issues.push({ code: 'custom', message, input: ctx.value, continue: false })
    }
  })
  wireForms.set(schema, json)
  return schema
}

/** A named object schema. */
export const record = (id: string, fields: Fields): Schema => named(id, object(fields))

interface BoundedMapDef extends z.core.$ZodRecordDef {
  max: number
  maxKeyLength: number
}

function keysProblem(keys: readonly string[], { max, maxKeyLength }: BoundedMapDef) {
  if (keys.length > max) return tooLong(keys.length, max, 'keys')
  const long = keys.find((key) => key.length > maxKeyLength)
  return long && `a key with ${tooLong(long.length, maxKeyLength, 'characters')}`
}

const initRecord: (map: z.ZodRecord, def: never) => void = z.ZodRecord.init

/** Compares the number and the length of the keys with their maximum before it looks at a value. */
const BoundedMap = z.core.$constructor<z.ZodRecord, BoundedMapDef>('BoundedMap', (map, def) => {
  initRecord(map, def as never)
  const parse = map._zod.parse
  map._zod.parse = (payload, ctx) => {
    const { value } = payload
    const message = isJsonObject(value) ? keysProblem(Object.keys(value), def) : undefined
    if (message === undefined) return parse(payload, ctx)
    payload.issues.push({ code: 'custom', message, input: value, inst: map })
    return payload
  }
})

/** An object whose keys are data. */
export function map(value: Schema, max: number, maxKeyLength: number): Schema {
  const keyType = z.string()
  const def = { type: 'record', keyType, valueType: value, max, maxKeyLength } as const
  const form = { maxProperties: max, propertyNames: { maxLength: maxKeyLength } }
  return new BoundedMap(def).meta(form)
}

/** A map of an answer, whose number of keys the client does not determine. */
export const answerMap = (value: Schema): Schema => z.record(z.string(), value)

/**
 * A list, whose length is compared with a maximum before any element is looked at.
 * @param form additional properties of the list in the document
 * @param message of the refusal of a longer list
 */
export const array = (
  items: Schema,
  max: number,
  form: { minItems?: number; maxItems?: number; uniqueItems?: true } = {},
  message = (length: number): string => tooLong(length, max, 'elements'),
): Schema =>
  z
    .array(items)
    .max(max, { error: ({ input }) => message((input as unknown[]).length) })
    .meta(form)

/**
 * Handlers check some maxima, and refuse more in the words of a rule. The parser refuses lists and
 * texts of more than so many times such a maximum.
 */
const RULED_TIMES = 2

/** A list whose maximum the handler checks. */
export const ruledArray = (items: Schema, max: number): Schema =>
  array(items, RULED_TIMES * max, { maxItems: max }, (length) => tooLong(length, max, 'elements'))

/** The most elements that a list may have; infinite for a list of an answer. */
export function maxItemsOf(schema: Schema): number {
  const checks = (schema._zod.def.checks ?? []).map((check) => check._zod.def)
  const limits = checks.filter((def) => def.check === 'max_length')
  return Math.min(Infinity, ...limits.map((def) => Number('maximum' in def && def.maximum)))
}
/** The most keys that a map may have. */
export const maxKeysOf = (schema: Schema): number =>
  (schema._zod.def as Partial<BoundedMapDef>).max ?? Infinity

/** A list of an answer, whose length the client does not determine. */
export const list = (
  items: Schema,
  form: { uniqueItems: true } | { minItems: number; maxItems: number } | Record<string, never> = {},
): Schema => z.array(items).meta(form)

/**
 * A union discriminated by one string field, written `{ tagValue: otherFields }`.
 * @param tag name of that field
 */
export function tagged(tag: string, variants: Record<string, Fields>): Schema {
  const options = Object.entries(variants).map(([value, fields]) =>
    z.object({ [tag]: z.literal(value), ...fields }),
  )
  return z.discriminatedUnion(tag, options as [z.ZodObject, ...z.ZodObject[]])
}

/** A union discriminated by the field that is present. */
export function unionByKey(variants: Fields): Schema {
  const options = Object.entries(variants).map(([key, value]) => z.object({ [key]: value }))
  return z.union(options as [z.ZodObject, ...z.ZodObject[]])
}

const expected =
  (what: string, test: (value: unknown) => boolean) =>
  (value: unknown): string | undefined =>
    test(value) ? undefined : `invalid type: ${describeJson(value)}, expected ${what}`

const isString = (value: unknown): value is string => typeof value === 'string'

/**
 * A form with a rule that the wire contract does not state. Kept separate from the contract's form,
 * so that the two can be compared.
 */
export const ruled = (form: JsonSchema, rule: JsonSchema): JsonSchema => ({
  ...form,
  allOf: [rule],
})

const notText = expected('a string', isString)

/**
 * Text. The rule judges only the beginning of a text that is too long, so that the rule may have its
 * own message about the length.
 * @param max characters
 * @param problem adds a rule
 */
export function text(
  max: number,
  json: JsonSchema = {},
  problem: (value: string) => string | undefined = () => undefined,
  normal?: (value: string) => string,
): Schema {
  const lengthProblem = (value: string) =>
    value.length > max
      ? (problem(value.slice(0, max + 1)) ?? tooLong(value.length, max, 'characters'))
      : undefined
  return scalar(
    { type: 'string', ...json, maxLength: max },
    (value) =>
      notText(value) ??
      lengthProblem(value as string) ??
      textProblem(value as string) ??
      problem(value as string),
    normal,
  )
}

/** A short text that has no limit of its own: a serial number, a code, a name. */
export const shortText = text(SHORT_TEXT_MAX)
/** A long text that has no limit of its own: a query, a certificate, a key, a token. */
export const longText = text(LONG_TEXT_MAX)

/** Text of at least one character. */
export const filledText = (max: number): Schema =>
  text(max, { minLength: 1 }, ({ length }) =>
    length === 0 || length > max ? `must have 1 to ${max} characters` : undefined,
  )

/** Text whose maximum the handler checks. */
export const ruledText = (max: number, json: JsonSchema = {}): Schema =>
  scalar({ type: 'string', ...json, maxLength: max }, (value) => {
    const wrongType = notText(value)
    if (wrongType !== undefined) return wrongType
    const { length } = value as string
    return length > RULED_TIMES * max
      ? tooLong(length, max, 'characters')
      : textProblem(value as string)
  })

/** Text of an answer, whose length the client does not determine. */
export const answerText = (json: JsonSchema = {}): Schema =>
  scalar({ type: 'string', ...json }, (value) => notText(value) ?? textProblem(value as string))

/** Text of an answer. */
export const string = answerText()

/** Bytes of a body or an answer other than JSON; `maxBody` limits a body. */
export const bytes = answerText({ format: 'binary' })

/** Any JSON value of an answer. */
export const anything = scalar({}, () => undefined)

/**
 * Any JSON value, whose contents the handler checks.
 * @param max values in it
 */
export const anyJson = (max: number): Schema =>
  scalar({ 'x-max-values': max }, (value) =>
    hasMoreValues(value, max) ? `more than ${max} values` : undefined,
  )

export const boolean = scalar(
  { type: 'boolean' },
  expected('a boolean', (value) => typeof value === 'boolean'),
)

/** Maximum numbers implied by a format. */
const greatest: Readonly<Record<string, number>> = {
  int8: 0x7f,
  uint8: 0xff,
  int16: 0x7fff,
  uint16: 0xffff,
  int32: 0x7fffffff,
  uint32: 0xffffffff,
}

export function integer(format: string, rustName: string, min: number, max: number): Schema {
  const bounds = {
    ...(min >= 0 && { minimum: min }),
    ...(max < (greatest[format] ?? max) && { maximum: max }),
  }
  // A larger number would be rounded in the document.
  const rule = {
    ...(min < 0 && min >= Number.MIN_SAFE_INTEGER && { minimum: min }),
    ...(max <= Number.MAX_SAFE_INTEGER && !('maximum' in bounds) && { maximum: max }),
  }
  const form = { type: 'integer', format, ...bounds }
  return scalar(Object.keys(rule).length > 0 ? ruled(form, rule) : form, (value) => {
    if (typeof value !== 'number')
      return `invalid type: ${describeJson(value)}, expected ${rustName}`
    if (!Number.isInteger(value))
      return `invalid type: ${describeJson(value)}, expected ${rustName}`
    if (value < min || value > max)
      return `invalid value: ${describeJson(value)}, expected ${rustName}`
    return undefined
  })
}

export const uint8 = integer('uint8', 'u8', 0, 0xff)
export const uint16 = integer('uint16', 'u16', 0, 0xffff)
export const uint32 = integer('uint32', 'u32', 0, 0xffffffff)
/** A count whose width the contract does not specify. */
export const uint = integer('uint', 'usize', 0, Number.MAX_SAFE_INTEGER)
export const uint64 = integer('uint64', 'u64', 0, 2 ** 64)
/** The largest double below 2^63; larger integers would round to 2^63 itself. */
const INT64_MAX = 2 ** 63 - 2 ** 10
export const int64 = integer('int64', 'i64', -(2 ** 63), INT64_MAX)
export const numberOf = (format: string): Schema =>
  scalar(
    { type: 'number', format },
    expected('a number', (value) => typeof value === 'number'),
  )
/** A fractional number, or one too large for an exact integer. */
export const double = numberOf('double')
/** Rows of a page: at least one. */
export const pageLimit = integer('uint32', 'a nonzero u32', 1, 0xffffffff)

/** One of a fixed set of words. */
export function oneOf(...values: (string | number)[]): Schema {
  const type = typeof values[0] === 'number' ? 'integer' : 'string'
  return scalar({ type, enum: values }, (value) => {
    if (values.includes(value as string)) return undefined
    if (typeof value !== type && !(type === 'integer' && typeof value === 'number')) {
      return `invalid type: ${describeJson(value)}, expected ${type === 'string' ? 'string or map' : 'an integer'}`
    }
    return unknownVariant(String(value), values)
  })
}

/** Some of a fixed set of words, separated by commas. */
export const commaSeparated = (values: readonly string[]): Schema =>
  text(FILTER_MAX, { pattern: `^(${values.join('|')})(,(${values.join('|')}))*$` }, (value) => {
    const unknown = value.split(',').find((word) => !values.includes(word))
    return unknown === undefined
      ? undefined
      : `unknown variant \`${unknown}\`, expected some of ${values.map((v) => `\`${v}\``).join(', ')}`
  })

const lowerCase = (id: string) => id.toLowerCase()
/** Ids are stored in lower case; names are kept as they are. */
const normalNameOrId = (value: string) => (isUuid(value) ? lowerCase(value) : value)

export const uuid = text(
  UUID_LENGTH,
  { format: 'uuid' },
  (value) => (isUuid(value) ? undefined : `UUID parsing failed: invalid UUID "${value}"`),
  lowerCase,
)
const dateTimeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

/** RFC 3339. */
export const dateTime = text(DATE_TIME_MAX, { format: 'date-time' }, (value) =>
  dateTimeForm.test(value) && !Number.isNaN(Date.parse(value))
    ? undefined
    : `invalid date-time "${value}"`,
)

/** At most 512 characters; may be empty. Plain text on the wire. */
export const description = text(DESCRIPTION_MAX, {}, descriptionProblem)

const namePattern =
  '^(?![0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$)^[a-z]([a-zA-Z0-9-]*[a-zA-Z0-9]+)?$'
/** The published pattern permits upper case. */
const nameForm = ruled({ pattern: namePattern, minLength: 1 }, { pattern: '^[^A-Z]*$' })
export const Name = named('Name', text(NAME_MAX, nameForm, nameProblem))
/** Names of local users follow the rules of names. */
export const UserId = named('UserId', text(NAME_MAX, nameForm, nameProblem))

const isNameOrId = (value: string) =>
  value.length <= NAME_MAX && (isUuid(value) || nameProblem(value) === undefined)

export const NAME_OR_ID_MISMATCH = 'data did not match any variant of untagged enum NameOrId'
export const NameOrId = named(
  'NameOrId',
  scalar(
    {
      oneOf: [
        { type: 'string', format: 'uuid', maxLength: UUID_LENGTH },
        { $ref: '#/components/schemas/Name' },
      ],
    },
    (value) => (isString(value) && isNameOrId(value) ? undefined : NAME_OR_ID_MISMATCH),
    normalNameOrId,
  ),
)

const uuidPattern = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'
const nameInListPattern = '[a-z]([a-z0-9-]{0,61}[a-z0-9])?'
const listPattern = (item: string) => `^(${item})(,(${item}))*$`

/** Some names or ids, separated by commas. */
export const NamesOrIds = named(
  'NamesOrIds',
  text(
    FILTER_MAX,
    { pattern: listPattern(`${uuidPattern}|${nameInListPattern}`) },
    (value) => (value.split(',').every(isNameOrId) ? undefined : NAME_OR_ID_MISMATCH),
    (value) => value.split(',').map(normalNameOrId).join(','),
  ),
)

/** Some ids, separated by commas. */
export const Uuids = named(
  'Uuids',
  text(
    FILTER_MAX,
    { pattern: listPattern(uuidPattern) },
    (value) => {
      const wrong = value.split(',').find((id) => !isUuid(id))
      return wrong === undefined ? undefined : `UUID parsing failed: invalid UUID "${wrong}"`
    },
    lowerCase,
  ),
)

const composed = (value: string) => value.normalize('NFC')

/** `key:value`, or a key alone. */
export const Tag = named(
  'Tag',
  text(TAG_MAX, { pattern: `^${tagPattern}$` }, (value) => tagProblem(composed(value)), composed),
)

/** Key of a tag. */
export const TagKey = named(
  'TagKey',
  text(TAG_KEY_MAX, { pattern: `^${tagKeyPattern}$` }, tagKeyProblem),
)

/** Tags separated by commas, all of which are wanted. A key alone stands for all its values. */
export const TagFilter = named(
  'TagFilter',
  text(
    FILTER_MAX,
    { pattern: `^${tagPattern}(,${tagPattern}){0,${TAG_FILTER_MAX - 1}}$` },
    (value) => tagFilterProblem(composed(value)),
    composed,
  ),
)

/** Bytes, 0 to 2^63-1. */
export const ByteCount = named(
  'ByteCount',
  scalar(
    ruled({ type: 'integer', format: 'uint64', minimum: 0 }, { maximum: INT64_MAX }),
    (value) =>
      typeof value === 'number' && Number.isInteger(value)
        ? byteCountProblem(value)
        : `invalid type: ${describeJson(value)}, expected u64`,
  ),
)

/** Common fields of all named resources. */
export const identity: Fields = {
  id: uuid,
  name: Name,
  description: string,
  time_created: dateTime,
  time_modified: dateTime,
}

/** Body fields that name a new resource. */
export const identityCreate: Fields = { name: Name, description }

/** Body fields of a rename; absent or null leaves a field unchanged. */
export const identityUpdate: Fields = {
  name: Name.nullable().optional(),
  description: description.nullable().optional(),
}

const pages = new Map<Schema, Schema>()

/** A page of results, named `{Item}ResultsPage`; the same schema for each use of an item. */
export function resultsPage(item: Schema): Schema {
  const page =
    pages.get(item) ??
    record(`${namedSchemas.get(item)!.id}ResultsPage`, {
      items: list(item),
      next_page: string.nullable().optional(),
    })
  pages.set(item, page)
  return page
}
