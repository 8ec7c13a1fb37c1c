/**
 * An independent reading of the contract's document, apart from the server's parser: the legal
 * values of a field, an example, and every place in a body where a value can be.
 */
import { isIPv4, isIPv6 } from 'node:net'
import published from '@steading/api/openapi.json' with { type: 'json' }

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  maxProperties?: number
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  additionalProperties?: JsonSchema
  oneOf?: JsonSchema[]
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
}

export interface Parameter {
  in: 'path' | 'query' | 'header'
  name: string
  required?: boolean
  schema: JsonSchema
}

export interface Documented {
  /** Parameters of the path and the query. */
  parameters: Parameter[]
  /** Query parameters that only a page token replaces. */
  scan: string[]
  body?: JsonSchema
}

/** The document, in which every reference is a plain `$ref`. */
const document = JSON.parse(JSON.stringify(published), (_key, value: JsonSchema | null) => {
  const $ref = value?.allOf?.[0]?.$ref
  if (!$ref) return value
  const { allOf: _allOf, ...beside } = value
  return { ...beside, $ref }
}) as typeof published

const schemas = document.components.schemas as unknown as Record<string, JsonSchema>

/** Operation id → its request in the document. */
export const documented: Record<string, Documented> = Object.fromEntries(
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods as object))
    .map((operation) => [
      operation.operationId,
      {
        parameters: operation.parameters.filter((each: Parameter) => each.in !== 'header'),
        scan: operation['x-dropshot-pagination']?.required ?? [],
        body: operation.requestBody?.content['application/json']?.schema,
      },
    ]),
)

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const isIPv6Address = (text: string) => isIPv6(text) && !text.includes('%')
const isNetwork =
  (isAddress: (text: string) => boolean, widest: number) =>
  (value: unknown): boolean => {
    if (typeof value !== 'string') return false
    const [address, width, ...rest] = value.split('/')
    return (
      isAddress(address!) &&
      /^(0|[1-9]\d*)$/.test(width ?? '') &&
      Number(width) <= widest &&
      rest.length === 0
    )
  }
const isWebAddress = (value: unknown): boolean => {
  if (typeof value !== 'string' || value.length > 2048 || !URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return /^https?:$/.test(protocol) && !username && !password
}
const isBase64 = (text: string) => /^[\w+/]*={0,2}$/.test(text) && text.length % 4 === 0

/**
 * Rules that the document states in prose, and values it allows although the specification does
 * not.
 */
const bySchema: Record<string, (value: unknown) => boolean> = {
  Ipv4Net: isNetwork(isIPv4, 32),
  Ipv6Net: isNetwork(isIPv6Address, 128),
  WebAddress: isWebAddress,
  Password: (value) =>
    typeof value === 'string' && Buffer.byteLength(value) <= 512 && isText(value),
}
const isTime = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/
const formats: Record<string, (text: string) => boolean> = {
  uuid: (text) => uuid.test(text),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) => isTime.test(text) && !Number.isNaN(Date.parse(text)),
  ip: (text) => isIPv4(text) || isIPv6Address(text),
  ipv4: isIPv4,
  ipv6: isIPv6Address,
  byte: (text) => isBase64(text) && Buffer.from(text, 'base64').length <= 32 * 1024,
}
/** Exclusive; a double cannot distinguish the greatest 64-bit number from the next one. */
const bounds: Record<string, number> = { uint64: 2 ** 64 + 1 }
/** Neither a lone surrogate nor a character that databases cannot store. */
const isText = (text: string) => text.isWellFormed() && !text.includes('\0')

const idOf = (ref: string): string => ref.split('/').at(-1)!
export const resolve = (schema: JsonSchema): JsonSchema =>
  schema.$ref ? resolve(schemas[idOf(schema.$ref)]!) : schema

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value satisfies a rule; rules about values of another type do not apply. */
function isWithin(rule: JsonSchema & { maxItems?: number }, value: unknown): boolean {
  if (rule.anyOf) return rule.anyOf.some((choice) => isWithin(choice, value))
  if (typeof value === 'number') {
    return value >= (rule.minimum ?? -Infinity) && value <= (rule.maximum ?? Infinity)
  }
  if (Array.isArray(value)) return value.length <= (rule.maxItems ?? Infinity)
  if (typeof value !== 'string') return true
  return (
    value.length <= (rule.maxLength ?? Infinity) &&
    (rule.pattern === undefined || new RegExp(rule.pattern).test(value)) &&
    (formats[rule.format ?? '']?.(value) ?? true)
  )
}

/** Whether the contract permits a value in some place. */
export function isLegal(schema: JsonSchema, value: unknown): boolean {
  if (schema.allOf && !schema.allOf.every((rule) => isWithin(rule, value))) return false
  if (typeof value === 'number' && value > Number(schema.maximum ?? Infinity)) return false
  if (schema.$ref) {
    const id = idOf(schema.$ref)
    return bySchema[id]?.(value) ?? isLegal(schemas[id]!, value)
  }
  const choices = schema.oneOf ?? schema.anyOf
  if (choices) return choices.some((choice) => isLegal(choice, value))
  if (Array.isArray(schema.type)) {
    return schema.type.some((type) => isLegal({ ...schema, type }, value))
  }
  if (schema.enum && !schema.enum.includes(value)) return false
  switch (schema.type) {
    case 'number':
      return typeof value === 'number'
    case 'null':
      return value === null
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
      return (
        typeof value === 'number' &&
        Number.isInteger(value) &&
        value >= (schema.minimum ?? -(2 ** 63)) &&
        value < (bounds[schema.format ?? ''] ?? 2 ** 63)
      )
    case 'string':
      return (
        typeof value === 'string' &&
        isText(value) &&
        value.length >= (schema.minLength ?? 0) &&
        value.length <= (schema.maxLength ?? Infinity) &&
        (schema.pattern === undefined || new RegExp(schema.pattern).test(value)) &&
        (formats[schema.format ?? '']?.(value) ?? true)
      )
    case 'array':
      return (
        Array.isArray(value) &&
        value.length <= (schema.maxItems ?? Infinity) &&
        value.every((item) => isLegal(schema.items!, item))
      )
    default:
      return (
        isObject(value) &&
        Object.keys(value).length <= (schema.maxProperties ?? Infinity) &&
        (schema.required ?? []).every((key) => Object.hasOwn(value, key)) &&
        Object.entries(schema.properties ?? {}).every(
          ([key, property]) => !Object.hasOwn(value, key) || isLegal(property, value[key]),
        ) &&
        (!schema.additionalProperties ||
          Object.values(value).every((each) => isLegal(schema.additionalProperties!, each)))
      )
  }
}

/** The same for the text of a parameter. */
export function isLegalText(parameter: Parameter, text: string): boolean {
  // Page tokens have tests of their own.
  if (parameter.name === 'page_token') return text === ''
  const { anyOf, type } = resolve(parameter.schema)
  const integer = type === 'integer' || anyOf?.some((choice) => choice.type === 'integer')
  const value = integer ? (/^-?\d+$/.test(text) ? Number(text) : text) : text
  // Null is a word of JSON; a query parameter is either present or not.
  return isLegal(parameter.schema, value)
}

/** Existing things, by the name of the field that refers to one, so that examples get far. */
export type Examples = Record<string, unknown>

/** A legal value. */
function example(schema: JsonSchema, name: string, known: Examples): unknown {
  const { oneOf, anyOf, type, enum: allowed, format, items, properties, required } = resolve(schema)
  if (name in known && isLegal(schema, known[name])) return known[name]
  if (oneOf || anyOf) return example((oneOf ?? anyOf)![0]!, name, known)
  if (allowed) return allowed[0]
  switch (Array.isArray(type) ? type[0] : type) {
    case 'boolean':
      return false
    case 'integer':
      return 1
    case 'array':
      return [example(items!, '', known)]
    case 'object':
      return Object.fromEntries(
        required?.map((key) => [key, example(properties![key]!, key, known)]) ?? [],
      )
    default: {
      const texts = [
        'example',
        '2030-01-01T00:00:00Z',
        '2030-01-01',
        'EUR',
        '00000000-0000-4000-8000-000000000000',
        '10.0.0.9',
        'fd00::9',
        '80',
        '',
        'https://example.com/image.qcow2',
        'a'.repeat(64),
        'a'.repeat(128),
      ]
      const nets = ['10.9.0.0/16', 'fd09::/64']
      const fits = [...texts, ...nets].find((text) => isLegal(schema, text))
      if (fits === undefined) throw new Error(`there is no example of a ${format ?? name}`)
      return fits
    }
  }
}

/** A place in a body that has a value. */
export interface Place {
  /** As spelled in messages: `disks[0].name`. */
  path: string
  /** The place that an error names: for the tag of a union, the union. */
  blame: string
  name: string
  schema: JsonSchema
  value: unknown
  /** The body with another value at this place; undefined leaves the field out. */
  put: (value: unknown) => unknown
}

/**
 * Every place in a body, at every depth; for unions, the places of each variant.
 * @param value the body, or part of it, that is known to work
 */
export function* places(
  schema: JsonSchema,
  value: unknown,
  known: Examples,
  at: Omit<Place, 'schema' | 'value'> = { path: '', blame: '', name: '', put: (body) => body },
): Generator<Place> {
  yield { ...at, schema, value }
  const { oneOf, anyOf, type, items, properties } = resolve(schema)
  if (anyOf) {
    const inner = anyOf.find((choice) => choice.type !== 'null')!
    const filled = value ?? example(inner, at.name, known)
    yield* fieldsOf(inner, filled, known, at)
    return
  }
  if (oneOf && resolve(oneOf[0]!).properties) {
    for (const variant of oneOf) {
      const fits = isLegal(variant, value)
      yield* fieldsOf(variant, fits ? value : example(variant, at.name, known), known, at)
    }
    return
  }
  if (properties || type === 'array' || items) yield* fieldsOf(schema, value, known, at)
}

function* fieldsOf(
  schema: JsonSchema,
  value: unknown,
  known: Examples,
  { path, put }: Pick<Place, 'path' | 'put'> & { name: string; blame: string },
): Generator<Place> {
  const { oneOf, items, properties } = resolve(schema)
  if (oneOf) {
    yield* skipFirst(places(schema, value, known, { path, blame: path, name: '', put }))
  } else if (items) {
    const list = value as unknown[]
    const index = list.length
    yield* places(items, list[0] ?? example(items, '', known), known, {
      path: `${path}[${index}]`,
      blame: `${path}[${index}]`,
      name: '',
      put: (item) => put([...list, item]),
    })
  } else if (properties) {
    const record = value as Record<string, unknown>
    for (const [key, property] of Object.entries(properties)) {
      const own = path ? `${path}.${key}` : key
      const isTag = property.enum?.length === 1
      yield* places(property, record[key] ?? example(property, key, known), known, {
        path: own,
        blame: isTag ? path : own,
        name: key,
        put: (inner) => put({ ...record, [key]: inner }),
      })
    }
  }
}

function* skipFirst<T>(values: Generator<T>): Generator<T> {
  values.next()
  yield* values
}
