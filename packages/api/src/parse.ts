/**
 * Parses requests into values of the contract, or the message of a 400. The messages locate the
 * problem in the way clients of this API are used to.
 */
import type * as z from 'zod'
import { describeJson, unknownVariant } from './describe-json.ts'
import { jsonSyntaxProblem } from './json-syntax.ts'
import { locate } from './locate-json.ts'
import { bare, type Fields, MISSING, type Schema, wireForm } from './schema.ts'
import { type ApiVersion, upgradeRequest } from './versions.ts'

/** A request that could not be parsed; the message is complete. */
export class ParseError extends Error {}

interface Problem {
  path: PropertyKey[]
  text: string
  missing: boolean
}

function problemOf(issue: z.core.$ZodIssue): Problem {
  const { path } = issue
  const missing = (name: PropertyKey): Problem => ({
    path: path.slice(0, -1),
    text: `missing field \`${String(name)}\``,
    missing: true,
  })
  if (issue.message === MISSING) return missing(path.at(-1) ?? '')
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined && path.length > 0) return missing(path.at(-1)!)
    const wanted = issue.expected === 'array' ? 'a sequence' : 'a map'
    return {
      path,
      text: `invalid type: ${describeJson(issue.input)}, expected ${wanted}`,
      missing: false,
    }
  }
  if (issue.code === 'invalid_union' && issue.discriminator) {
    // The path ends at the discriminator; the error belongs to the object that carries it.
    const input = issue.input as Record<string, unknown> | undefined
    const tag = issue.discriminator
    const value = typeof input === 'object' && input !== null ? input[tag] : undefined
    const parent = path.at(-1) === tag ? path.slice(0, -1) : path
    if (value === undefined) {
      return { path: parent, text: `missing field \`${tag}\``, missing: true }
    }
    const variants = variantsOf(issue)
    return {
      path: parent,
      text:
        typeof value === 'string'
          ? unknownVariant(value, variants)
          : `invalid type: ${describeJson(value)}, expected variant identifier`,
      missing: false,
    }
  }
  return { path, text: issue.message, missing: false }
}

const variantsOf = (issue: z.core.$ZodIssue): string[] =>
  ((issue as { options?: unknown[] }).options ?? []).map(String)

/** Issues need their input and, for unions, the available variants. */
const errorMap: z.core.$ZodErrorMap = (issue) => {
  const instance = issue.inst as { _zod?: { def?: { discriminator?: string; options?: Schema[] } } }
  const def = instance?._zod?.def
  if (issue.code === 'invalid_union' && def?.discriminator) {
    const tag = def.discriminator
    const words = (def.options ?? []).flatMap((option) => {
      const shape = (option as z.ZodObject).shape as Record<string, z.ZodLiteral>
      return [...(shape[tag]?.values ?? [])]
    })
    Object.assign(issue, { options: words, discriminator: tag })
  }
  return undefined
}

const validate = (schema: Schema, value: unknown): { data: unknown } | { problem: Problem } => {
  const result = schema.safeParse(value, { error: errorMap, reportInput: true })
  return result.success ? { data: result.data } : { problem: problemOf(result.error.issues[0]!) }
}

const dotted = (path: PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number'
        ? `${text}[${part}]`
        : text
          ? `${text}.${String(part)}`
          : String(part),
    '',
  )

/** Line and column, from 1, of an offset. */
function position(text: string, offset: number): string {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return `at line ${line} column ${offset - before.lastIndexOf('\n') - 1}`
}

const bodyError = (reason: string) => new ParseError(`unable to parse JSON body: ${reason}`)

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Text of a request body.
 * @throws ParseError if it is not UTF-8: the stored text would differ from the one sent
 */
export function bodyText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    // The first byte changed by decoding and encoding is the invalid one.
    const repaired = new TextEncoder().encode(
      new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
    )
    const wrong = repaired.findIndex((byte, index) => byte !== bytes[index])
    const before = new TextDecoder().decode(bytes.subarray(0, wrong))
    throw bodyError(`invalid unicode code point ${position(`${before}?`, before.length + 1)}`)
  }
}

/**
 * A JSON request body.
 * @param version of the client, which determines the accepted spellings; all of them without a
 * version
 * @throws ParseError `unable to parse JSON body: {path}: {reason} at line {n} column {m}`
 */
export function parseBody(schema: Schema, text: string, version?: ApiVersion): unknown {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    const problem = jsonSyntaxProblem(text)
    if (!problem) throw error
    throw bodyError(`${problem.reason} ${position(text, problem.offset)}`)
  }
  const result = validate(schema, upgradeRequest(schema, body, version))
  if ('data' in result) return result.data
  const { path, text: reason } = result.problem
  const prefix = dotted(path)
  const where = position(text, locate(text, path))
  throw bodyError(`${prefix ? `${prefix}: ` : ''}${reason} ${where}`)
}

/**
 * A value that was composed, not sent.
 * @throws ParseError `{path}: {reason}`
 */
export function parseValue(schema: Schema, value: unknown): unknown {
  const result = validate(schema, value)
  if ('data' in result) return result.data
  const { path, text } = result.problem
  const prefix = dotted(path)
  throw new ParseError(prefix ? `${prefix}: ${text}` : text)
}

/** Value of a text that is not the number it should be. */
const notANumber = Symbol('not a number')

/** Converts text of a query or path parameter to the type of its schema. */
function coerce(schema: Schema, text: string): unknown {
  const form = wireForm(bare(schema))
  if (form?.type === 'integer') {
    const isUnsigned = form.minimum !== undefined && Number(form.minimum) >= 0
    return (isUnsigned ? /^\d+$/ : /^-?\d+$/).test(text) ? Number(text) : notANumber
  }
  if (form?.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

function parseText(
  fields: Fields,
  values: Record<string, string>,
  intro: string,
): Record<string, unknown> {
  const parsed: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(fields)) {
    const text = values[name]
    const value = text === undefined ? undefined : coerce(schema, text)
    if (value === notANumber)
      throw new ParseError(`${intro}: ${name}: invalid digit found in string`)
    const result = validate(schema, value)
    if ('problem' in result) {
      const { missing, text: reason } = result.problem
      throw new ParseError(
        `${intro}: ${missing ? `missing field \`${name}\`` : `${name}: ${reason}`}`,
      )
    }
    if (result.data !== undefined) parsed[name] = result.data
  }
  return parsed
}

/**
 * Query parameters; unknown ones are ignored.
 * @throws ParseError `unable to parse query string: {parameter}: …`
 */
export const parseQuery = (fields: Fields, search: URLSearchParams): Record<string, unknown> =>
  parseText(fields, Object.fromEntries(search), 'unable to parse query string')

/**
 * A body of `application/x-www-form-urlencoded`; unknown fields are ignored.
 * @param schema of an object whose fields are scalars
 * @throws ParseError `unable to parse URL-encoded body: {field}: …`
 */
export const parseForm = (schema: Schema, text: string): Record<string, unknown> =>
  parseText(
    (schema as z.ZodObject).shape as Fields,
    Object.fromEntries(new URLSearchParams(text)),
    'unable to parse URL-encoded body',
  )

/**
 * Request headers of an operation; others are ignored.
 * @throws ParseError `bad value for header: {name}: …`
 */
export const parseHeaders = (fields: Fields, headers: Headers): Record<string, unknown> =>
  parseText(
    fields,
    Object.fromEntries(
      Object.keys(fields).flatMap((name) => {
        const value = headers.get(name)
        return value === null ? [] : [[name, value]]
      }),
    ),
    'bad value for header',
  )

/**
 * Path parameters, already decoded.
 * @throws ParseError `bad parameter in URL path: {parameter}: …`
 */
export const parseParams = (
  fields: Fields,
  params: Record<string, string>,
): Record<string, unknown> => parseText(fields, params, 'bad parameter in URL path')
