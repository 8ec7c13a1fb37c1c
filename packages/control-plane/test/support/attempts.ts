/** Malformed requests, derived from valid calls, and checks of their answers. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { type OperationId, operationTable } from '@steading/api'
import { API_VERSION } from '@steading/api/rules'
import {
  type Answer,
  answerOf,
  bodyTypeOf,
  type CallArgs,
  type Caller,
  encoded,
  locationOf,
  validate,
} from './caller.ts'
import {
  documented,
  type Examples,
  isLegal,
  isLegalText,
  type JsonSchema,
  type Parameter,
  places,
  resolve,
} from './contract.ts'
import {
  bodyWith,
  bodyWithout,
  monsters,
  mutantsFor,
  parameterBytes,
  parameterTexts,
  readerOf,
} from './mutants.ts'
import type { ScimError } from './scim.ts'
import type { Probe } from './probes/probe.ts'
import { long } from './long.ts'

const AT_ONCE = 12
const TOO_LONG_MS = 120_000
/** Most problems that are reported, because one mistake causes many. */
const MOST_TOLD = 30

interface Field {
  name: string
  schema: string
}

/** One request that is not what it should be, or only looks so. */
export interface Attempt {
  id: OperationId
  /** Identifies it in the report of a failure. */
  label: string
  path: string
  body?: string | Uint8Array
  headers?: Record<string, string>
  legal: boolean
  /** The field it is about: its name, and the schema that reads it; the same in many requests. */
  field?: Field
  /** The text that a refusal has to contain. */
  named?: RegExp
  /**
   * The maximum of a text or list that is too long, but not so long that the parser has to refuse it
   * (`ruledText` and `ruledArray` of the contract).
   */
  exceeded?: { length?: number; items?: number }
  /** Repeats the call, with another name in the body, after the first call has taken effect. */
  again?: () => Promise<Pick<Attempt, 'path' | 'body'>>
}

/** Requests a WebSocket as a browser does. */
export async function askForSocket({ url, cookie }: Caller, path: string): Promise<Answer> {
  const asked = request(url + path, {
    headers: {
      cookie: cookie ?? '',
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    },
  })
  asked.end()
  const [response] = (await once(asked, 'response', {
    signal: AbortSignal.timeout(TOO_LONG_MS),
  })) as [IncomingMessage]
  const headers = new Headers(response.headers as Record<string, string>)
  return { status: response.statusCode!, headers, body: JSON.parse(await text(response)) }
}

/**
 * The answer to a client of the newest version, which must follow the contract and arrive in time.
 */
export async function send(caller: Caller, attempt: Attempt): Promise<Answer> {
  const { method, websocket } = operationTable[attempt.id]
  if (websocket) return askForSocket(caller, attempt.path)
  const response = await caller.fetch(attempt.path, {
    method,
    headers: {
      'api-version': API_VERSION,
      ...(attempt.body === undefined
        ? {}
        : { 'content-type': bodyTypeOf(operationTable[attempt.id]) }),
      ...attempt.headers,
    },
    body: attempt.body as BodyInit | undefined,
    signal: AbortSignal.timeout(TOO_LONG_MS),
  })
  const type = response.headers.get('content-type')
  if (type && !/^application\/(scim\+)?json$/.test(type)) {
    // Streams without end, or of a gigabyte.
    await response.body?.cancel()
    return { status: response.status, headers: response.headers, body: undefined }
  }
  const answer = await answerOf(response)
  validate(method, attempt.path, answer)
  return answer
}

export const messageOf = ({ body }: Answer): string =>
  (body as { message?: string } | undefined)?.message ??
  (body as ScimError | undefined)?.detail ??
  ''

/** Sends all of them, several at a time, and collects the problems of their answers. */
export async function problemsOf(
  attempts: Iterable<Attempt>,
  make: (attempt: Attempt) => Promise<Answer>,
  problem: (answer: Answer, attempt: Attempt) => string | undefined,
): Promise<string[]> {
  const problems: string[] = []
  const next = attempts[Symbol.iterator]()
  const worker = async () => {
    for (let step = next.next(); !step.done; step = next.next()) {
      const attempt = step.value
      let found: string | undefined
      try {
        const answer = await make(attempt)
        found = problem(answer, attempt)
        if (found) found += `: ${answer.status} ${messageOf(answer).slice(0, 200)}`
      } catch (error) {
        found = String(error)
      }
      if (found) problems.push(`${attempt.id} ${attempt.label}: ${found}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return problems.slice(0, MOST_TOLD)
}

const escaped = (literal: string) => literal.replace(/[.[\]]/g, String.raw`\$&`)

/** A refusal names the place in the body, or the missing part. */
const namedInBody = (path: string): RegExp =>
  path === ''
    ? /^unable to parse JSON body: /
    : new RegExp(`^unable to parse JSON body: ${escaped(path)}[:.[]`)

/**
 * Spreads values over requests whose bodies or tokens are read by the same code: `npm test` makes
 * each request with `count` of them, the next ones each time, and the long tests with all of them.
 */
export function takingTurns(count: number): <T>(values: readonly T[]) => readonly T[] {
  let next = 0
  return (values) =>
    long || values.length <= count
      ? values
      : Array.from({ length: count }, () => values[next++ % values.length]!)
}

const someMonsters = takingTurns(1)
/** One operation in eight; all of them read unknown parameters by the same code. */
const someOperations = takingTurns(1)
const isNext = [true, ...Array.from({ length: 7 }, () => false)]
let copies = 0

/** The maximum of a text or list, if it is longer, but not more than twice as long. */
function exceeded(schema: JsonSchema, value: unknown): Attempt['exceeded'] {
  const { maxItems, maxLength, anyOf } = resolve(schema)
  // The other choice is null.
  if (anyOf) return exceeded(anyOf[0]!, value)
  const isOver = (length: number, max = Infinity) => length > max && length <= 2 * max
  if (Array.isArray(value) && isOver(value.length, maxItems)) return { items: maxItems }
  if (typeof value === 'string' && isOver(value.length, maxLength)) return { length: maxLength }
  return undefined
}

/** A valid body with every value at every place, and with every field left out. */
export function* bodyAttempts(
  id: OperationId,
  args: CallArgs<OperationId>,
  way: Probe,
  examples: Examples,
): Generator<Attempt> {
  const schema = documented[id]!.body
  if (!schema) return
  const path = locationOf(id, args)
  const { name } = (args.body ?? {}) as { name?: string }
  const rename = (body: string) =>
    name ? body.replaceAll(JSON.stringify(name), () => `"${name}-${copies++}"`) : body
  const attempt = (label: string, body: string, named: RegExp, field?: Field): Attempt => ({
    id,
    label,
    path,
    body,
    named,
    field,
    legal: isLegal(schema, JSON.parse(body)),
    again: async () => ({ path: locationOf(id, await way.args()), body: rename(body) }),
  })
  const root = [...places(schema, args.body, examples)]
  for (const place of root) {
    const named = namedInBody(place.blame)
    for (const mutant of mutantsFor(place)) {
      const label = `${place.path} = ${mutant.slice(0, 60)}`
      const schema = long ? JSON.stringify(place.schema) : readerOf(mutant, place.schema)
      const field = { name: place.name, schema }
      const over = exceeded(place.schema, JSON.parse(mutant))
      yield { ...attempt(label, bodyWith(place, mutant), named, field), exceeded: over }
    }
    if (place.name) {
      const parent = place.path.slice(0, -place.name.length).replace(/\.$/, '')
      const missing = `missing field \`${place.name}\``
      const where = parent ? `${escaped(parent)}: ` : ''
      const lacking = new RegExp(`^unable to parse JSON body: ${where}${missing}`)
      yield attempt(`${place.path} left out`, bodyWithout(place), lacking)
    }
  }
  for (const monster of someMonsters(monsters)) {
    const extra = JSON.stringify({ ...(args.body as object), monster: 0 })
    yield attempt(
      'a monster beside it',
      extra.replace('"monster":0', () => `"monster":${monster}`),
      /./,
    )
    const first = root.find((place) => place.name)
    if (first) yield attempt('a monster in it', bodyWith(first, monster), namedInBody(first.blame))
  }
}

const encodedBody = (id: OperationId, { body }: CallArgs<OperationId>): string | undefined =>
  body ? encoded(bodyTypeOf(operationTable[id]), body) : undefined

const HERE = '@here@'

/** The text of a parameter; undefined if it cannot be decoded. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function* attemptsAt(
  id: OperationId,
  args: CallArgs<OperationId>,
  parameter: Parameter,
): Generator<Attempt> {
  const { name } = parameter
  const at = parameter.in === 'path' ? 'params' : 'query'
  const location = locationOf(id, { ...args, [at]: { ...args[at], [name]: HERE } })
  const body = encodedBody(id, args)
  const intro =
    parameter.in === 'path' ? 'bad parameter in URL path' : 'unable to parse query string'
  const named =
    name === 'page_token'
      ? /^unable to parse query string: (page_token|failed to parse pagination token): /
      : new RegExp(`^${intro}: ${name}: `)
  const attempt = (encoded: string, legal: boolean): Attempt => ({
    id,
    label: `${name} = ${encoded.slice(0, 60)}`,
    path: location.replace(encodeURIComponent(HERE), () => encoded),
    body,
    legal,
    field: { name, schema: `${parameter.in} ${JSON.stringify(parameter.schema)}` },
    named,
    exceeded: exceeded(parameter.schema, decoded(encoded)),
  })
  for (const text of parameterTexts(parameter.schema)) {
    // Without it, the path belongs to another route.
    if (text === '' && parameter.in === 'path') continue
    yield attempt(encodeURIComponent(text), isLegalText(parameter, text))
  }
  for (const bytes of parameterBytes) {
    const notText = parameter.in === 'path' && /^%(FF|ED)/.test(bytes)
    // Queries are decoded as in browsers: invalid bytes become a replacement character.
    const read = new URLSearchParams(`a=${bytes}`).get('a')!
    yield {
      ...attempt(bytes, isLegalText(parameter, read)),
      ...(notText
        ? { legal: false, named: /^invalid path encoding$|^bad parameter in URL path: / }
        : {}),
    }
  }
}

/**
 * Of a field that was tried with every value before, one in so many is tried again. `npm test` takes
 * fields for the same that read a value in the same way, whatever their names.
 */
const ONE_IN = long ? { legal: 1, illegal: 4 } : { legal: 6, illegal: 24 }
/** So many bad values of each field are tried in any case, or good ones of a field without bad ones. */
const FEWEST = long ? 2 : 1

/**
 * Leaves out most values of a field that an earlier place has, too: both are read by the same schema,
 * so what is left shows that it is read at all. Places take turns in what is left to them.
 * @param tried fields of earlier requests and their places, to which those of this one are added
 */
export function withoutRepeats(attempts: Attempt[], tried: Map<string, string>): Attempt[] {
  const turns = { legal: tried.size, illegal: tried.size }
  const keyOf = ({ name, schema }: Field) => (long ? `${name} ${schema}` : schema)
  const placeOf = ({ id, label }: Attempt) => `${id} ${label.slice(0, label.indexOf(' = '))}`
  const withBad = new Set(attempts.filter(({ legal }) => !legal).map(placeOf))
  const values = new Map<string, number>()
  return attempts.filter((attempt) => {
    const { legal, field } = attempt
    if (!field) return true
    const place = placeOf(attempt)
    const key = keyOf(field)
    if (!tried.has(key)) tried.set(key, place)
    if (tried.get(key) === place) return true
    const kind = legal ? 'legal' : 'illegal'
    const counts = long || !legal || !withBad.has(place)
    const index = counts ? (values.get(`${kind} ${place}`) ?? 0) : FEWEST
    values.set(`${kind} ${place}`, index + 1)
    return turns[kind]++ % ONE_IN[kind] === 0 || index < FEWEST
  })
}

/** The same for path and query. */
export function* parameterAttempts(
  id: OperationId,
  args: CallArgs<OperationId>,
): Generator<Attempt> {
  const { parameters, scan } = documented[id]!
  for (const parameter of parameters) {
    yield* attemptsAt(id, args, parameter)
    if (parameter.in === 'query' && (parameter.required || scan.includes(parameter.name))) {
      yield {
        id,
        label: `${parameter.name} left out`,
        path: locationOf(id, { ...args, query: { ...args.query, [parameter.name]: undefined } }),
        body: encodedBody(id, args),
        legal: false,
        named: new RegExp(`missing field \`${parameter.name}\``),
      }
    }
  }
  const path = locationOf(id, args)
  if (!someOperations(isNext)[0]) return
  yield {
    id,
    label: 'an unknown parameter',
    path: `${path}${path.includes('?') ? '&' : '?'}no_such=%FF&%zz=1&&=`,
    body: encodedBody(id, args),
    legal: true,
  }
}
