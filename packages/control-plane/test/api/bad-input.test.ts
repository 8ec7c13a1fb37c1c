/**
 * Bad input of every field of every operation, made up from the document of the contract. It is
 * refused by name and never a fault of the server's, it changes nothing, and what is legal is not
 * refused along with it.
 */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Operation, type OperationId, operationTable } from '@steading/api'
import { BODY_MAX, BULK_WRITE_BODY_MAX } from '@steading/api/rules'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  answerOf,
  type CallArgs,
  Caller,
  locationOf,
  validate,
} from '../support/caller.ts'
import {
  documented,
  type Examples,
  isLegal,
  isLegalText,
  type Parameter,
  places,
} from '../support/contract.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import {
  bodyWith,
  bodyWithout,
  monsters,
  mutantsFor,
  parameterBytes,
  parameterTexts,
} from '../support/mutants.ts'
import { createWorld, type Probe, probes } from '../support/probes.ts'
import { importingDisk } from '../support/storage.ts'
import { reaches, smallInstance } from '../support/things.ts'

const AT_ONCE = 12
const TOO_LONG_MS = 20_000
const query = { project: 'web' }

let server: TestServer
/** Names of things that exist, so that what is legal gets as far as it can. */
let examples: Examples
/** Calls that get further than those of the probes, which are made for asking who may. */
let further: Partial<Record<OperationId, Probe>>

beforeAll(async () => {
  server = await startTestServer()
  await createWorld(server)
  const { admin } = server
  const { id: disk } = await importingDisk(admin, 'web', 'importing')
  const { id: instance } = await admin.call('instance_create', {
    query,
    body: smallInstance('runs', { start: true }),
  })
  await reaches(admin, instance, 'running')
  const snapshot = await admin.call('snapshot_view', { params: { snapshot: 'snap' }, query })
  const image = await admin.call('image_view', { params: { image: 'img' }, query })
  examples = {
    vpc_name: 'default',
    subnet_name: 'default',
    pool: 'default',
    floating_ip: 'loose',
    disk: 'data',
    snapshot_id: snapshot.id,
    image_id: image.id,
    block_size: 512,
    size: 2 ** 30,
  }
  let projects = 0
  further = {
    // Not the one that everything else is in: it gets other names.
    project_update: {
      async args() {
        const name = `renamed-${projects++}`
        const project = await admin.call('project_create', { body: { name, description: '' } })
        return { params: { project: project.id }, body: { name, description: '' } }
      },
    },
    disk_bulk_write_import: {
      args: () => ({ params: { disk }, body: { offset: 0, base64_encoded_data: '' } }),
    },
    disk_import_view: { args: () => ({ params: { disk } }) },
    instance_serial_console: { args: () => ({ params: { instance }, query: { from_start: 0 } }) },
  }
})
afterAll(() => server.close())

const operations = Object.entries(operationTable) as [OperationId, Operation][]
const withBody = operations.filter(([, { body }]) => body)

function waysToCall(id: OperationId): Probe[] {
  const probe = further[id] ?? probes[id]
  return 'args' in probe ? [probe as Probe] : (Object.values(probe) as Probe[])
}

/** One request that is not what it should be, or only looks so. */
interface Attempt {
  id: OperationId
  /** For people who read that it failed. */
  label: string
  path: string
  body?: string | Uint8Array
  headers?: Record<string, string>
  legal: boolean
  /** What a refusal has to name. */
  named?: RegExp
  /** How to call once more, with a body under another name, when the first call has had its effect. */
  again?: () => Promise<Pick<Attempt, 'path' | 'body'>>
}

/** A browser's way to ask for a WebSocket. */
async function askForSocket(path: string, cookie = ''): Promise<Answer> {
  const asked = request(server.url + path, {
    headers: {
      cookie,
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

/** The answer, which is one of the contract and does not keep anybody waiting. */
async function send(caller: Caller, attempt: Attempt): Promise<Answer> {
  const { method, websocket } = operationTable[attempt.id]
  if (websocket) return askForSocket(attempt.path, caller.cookie)
  const response = await caller.fetch(attempt.path, {
    method,
    headers: {
      ...(attempt.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...attempt.headers,
    },
    body: attempt.body as BodyInit | undefined,
    signal: AbortSignal.timeout(TOO_LONG_MS),
  })
  const type = response.headers.get('content-type')
  if (type && type !== 'application/json') {
    // Streams: without end, or of a gigabyte.
    await response.body?.cancel()
    return { status: response.status, headers: response.headers, body: undefined }
  }
  const answer = await answerOf(response)
  validate(method, attempt.path, answer)
  return answer
}

const messageOf = ({ body }: Answer): string =>
  (body as { message?: string } | undefined)?.message ?? ''

/** Makes all of them, some at a time, and says what was wrong with the answers. */
async function problemsOf(
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
  return problems
}

const escaped = (literal: string) => literal.replace(/[.[\]]/g, String.raw`\$&`)

/** A refusal says where in the body it was, or what is missing there. */
const namedInBody = (path: string): RegExp =>
  path === ''
    ? /^unable to parse JSON body: /
    : new RegExp(`^unable to parse JSON body: ${escaped(path)}[:.[]`)

let copies = 0
function* bodyAttempts(
  id: OperationId,
  args: CallArgs<OperationId>,
  way: Probe,
): Generator<Attempt> {
  const schema = documented[id]!.body
  if (!schema) return
  const path = locationOf(id, args)
  const { name } = args.body as { name?: string }
  const rename = (body: string) =>
    name ? body.replaceAll(JSON.stringify(name), () => `"${name}-${copies++}"`) : body
  const attempt = (label: string, body: string, named: RegExp): Attempt => ({
    id,
    label,
    path,
    body,
    named,
    legal: isLegal(schema, JSON.parse(body)),
    again: async () => ({ path: locationOf(id, await way.args()), body: rename(body) }),
  })
  const root = [...places(schema, args.body, examples)]
  for (const place of root) {
    const named = namedInBody(place.blame)
    for (const mutant of mutantsFor(place)) {
      yield attempt(`${place.path} = ${mutant.slice(0, 60)}`, bodyWith(place, mutant), named)
    }
    if (place.name) {
      const parent = place.path.slice(0, -place.name.length).replace(/\.$/, '')
      const missing = `missing field \`${place.name}\``
      const where = parent ? `${escaped(parent)}: ` : ''
      const lacking = new RegExp(`^unable to parse JSON body: ${where}${missing}`)
      yield attempt(`${place.path} left out`, bodyWithout(place), lacking)
    }
  }
  for (const monster of monsters) {
    const extra = JSON.stringify({ ...(args.body as object), monster: 0 })
    yield attempt(
      'a monster beside it',
      extra.replace('"monster":0', () => `"monster":${monster}`),
      /./,
    )
    const [first] = root.filter((place) => place.name)
    yield attempt('a monster in it', bodyWith(first!, monster), namedInBody(first!.blame))
  }
}

const HERE = '@here@'

function* parameterAttempts(
  id: OperationId,
  args: CallArgs<OperationId>,
  parameter: Parameter,
): Generator<Attempt> {
  const { name } = parameter
  const at = parameter.in === 'path' ? 'params' : 'query'
  const location = locationOf(id, { ...args, [at]: { ...args[at], [name]: HERE } })
  const body = args.body && JSON.stringify(args.body)
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
    named,
  })
  for (const text of parameterTexts(parameter.schema)) {
    // Without it, it is another route.
    if (text === '' && parameter.in === 'path') continue
    yield attempt(encodeURIComponent(text), isLegalText(id, parameter, text))
  }
  for (const bytes of parameterBytes) {
    const notText = parameter.in === 'path' && bytes !== '%00' && /^%(FF|C0|ED)|zz$/.test(bytes)
    // Queries are read as browsers do: what is no text is taken for a sign that says so.
    const read = new URLSearchParams(`a=${bytes}`).get('a')!
    yield {
      ...attempt(bytes, isLegalText(id, parameter, read)),
      ...(notText
        ? { legal: false, named: /^invalid path encoding$|^bad parameter in URL path: / }
        : {}),
    }
  }
}

function* allParameterAttempts(id: OperationId, args: CallArgs<OperationId>): Generator<Attempt> {
  const { parameters, scan } = documented[id]!
  for (const parameter of parameters) {
    yield* parameterAttempts(id, args, parameter)
    if (parameter.in === 'query' && (parameter.required || scan.includes(parameter.name))) {
      yield {
        id,
        label: `${parameter.name} left out`,
        path: locationOf(id, { ...args, query: { ...args.query, [parameter.name]: undefined } }),
        body: args.body && JSON.stringify(args.body),
        legal: false,
        named: new RegExp(`missing field \`${parameter.name}\``),
      }
    }
  }
  const path = locationOf(id, args)
  yield {
    id,
    label: 'a parameter that nobody knows',
    path: `${path}${path.includes('?') ? '&' : '?'}no_such=%FF&%zz=1&&=`,
    body: args.body && JSON.stringify(args.body),
    legal: true,
  }
}

async function attemptsOn(id: OperationId): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  for (const way of waysToCall(id)) {
    const args = await way.args()
    attempts.push(...allParameterAttempts(id, args), ...bodyAttempts(id, args, way))
  }
  return attempts
}

const all: Attempt[] = []
beforeAll(async () => {
  for (const [id] of operations) all.push(...(await attemptsOn(id)))
})

/** The newest event, which tells whether anything has been changed. */
async function lastEvent(): Promise<number> {
  const newest = await server.db
    .selectFrom('event')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  return Number(newest.id)
}

/** Nothing but a list of what is wrong, and not all of a long one. */
const expectNone = (problems: string[]) => expect(problems.slice(0, 30)).toEqual([])

const asNobody = (attempt: Attempt) => send(server.anonymous, attempt)
/** Signing out would end the session of those who follow. */
const asAdmin = (attempt: Attempt) =>
  send(attempt.id === 'logout' ? server.anonymous : server.admin, attempt)

/** It is legal that nobody may do anything any more, and would be the end of the test. */
const locksOut = (id: OperationId, label: string) =>
  id.endsWith('policy_update') && label === 'role_assignments = []'

/** A full house is the one state of the server's that is no fault of its own. */
const faultOf = ({ status }: Answer): string | undefined =>
  status >= 500 && status !== 507 ? 'failed' : undefined

const wasNotUnderstood = ({ status, body }: Answer): boolean =>
  status === 400 && !('error_code' in (body as object))

describe('what the contract does not allow', () => {
  test.each(['parameters', 'bodies'])('is refused in %s, and named', async (where) => {
    const inBody = where === 'bodies'
    const bad = all.filter(({ legal, again }) => !legal && Boolean(again) === inBody)
    expect(bad.length).toBeGreaterThan(4_000)
    const before = await lastEvent()
    expectNone(
      await problemsOf(bad, asAdmin, (answer, { named }) => {
        if (!wasNotUnderstood(answer)) return 'was not refused'
        return named!.test(messageOf(answer)) ? undefined : 'was refused without its name'
      }),
    )
    expect(await lastEvent()).toBe(before)
  })
})

describe('what the contract allows', () => {
  test('is understood', async () => {
    const good = all.filter(({ legal }) => legal)
    expect(good.length).toBeGreaterThan(1_500)
    expectNone(
      await problemsOf(good, asNobody, (answer, { id }) => {
        // Whoever asks without credentials learns no more than that the question was one.
        const isPublic = operationTable[id].permission === 'public'
        const understood = isPublic ? !wasNotUnderstood(answer) : answer.status === 401
        return understood ? undefined : 'was not understood'
      }),
    )
  })

  test('is no fault of the server, however little sense it makes', async () => {
    const good = all.filter(({ legal, id, label }) => legal && !locksOut(id, label))
    expectNone(
      await problemsOf(
        good,
        async (attempt) => asAdmin({ ...attempt, ...(await attempt.again?.()) }),
        faultOf,
      ),
    )
  })
})

describe('a body', () => {
  const isJson = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  /** Of each operation that takes one, with one that works. */
  const each = async (
    change: (body: string, attempt: Attempt) => Attempt[],
  ): Promise<Attempt[]> => {
    const attempts: Attempt[] = []
    for (const [id] of withBody) {
      for (const way of waysToCall(id)) {
        const args = await way.args()
        const body = JSON.stringify(args.body)
        const attempt = { id, label: '', path: locationOf(id, args), body, legal: false }
        attempts.push(...change(body, attempt))
      }
    }
    return attempts
  }
  const refusedAs = (expected: RegExp) => (answer: Answer, attempt: Attempt) =>
    wasNotUnderstood(answer) && expected.test(messageOf(answer))
      ? undefined
      : `was not refused (${attempt.label})`

  test('that is no JSON is refused with the place where it ends to be', async () => {
    const broken = (body: string) =>
      [
        '',
        ' ',
        body.slice(0, 1),
        body.slice(0, body.length / 2),
        body.slice(0, -1),
        `${body}x`,
        body + body,
        `${body},`,
        `${body}\0`,
        `[${body}`,
        body.replaceAll('"', "'"),
        body.replace('{', '{,'),
        `/* */${body}`,
        body.replace('{', '{"a":NaN,'),
        body.replace('{', '{"a":01,'),
        body.replace('{', '{"a":+1,'),
        body.replace('{', '{"a":.5,'),
        body.replace('{', '{"a":"\n",'),
        body.replace('{', String.raw`{"a":"\x",`),
        body.replace('{', String.raw`{"a":"\u12",`),
        body.replace('{', '{a:1,'),
        body.replace('{', `{"a":${'['.repeat(100_000)},`),
      ].filter((text) => !isJson(text))
    const attempts = await each((body, attempt) =>
      broken(body).map((text) => ({ ...attempt, label: text.slice(0, 80), body: text })),
    )
    const where = /^unable to parse JSON body: .* at line \d+ column \d+$/
    expectNone(await problemsOf(attempts, asAdmin, refusedAs(where)))
  })

  test('that is no UTF-8 is refused, not repaired', async () => {
    const attempts = await each((body, attempt) => {
      const bytes = Buffer.from(body)
      return [
        { ...attempt, label: 'UTF-16', body: Buffer.from(body, 'utf16le') },
        ...[[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]].map((wrong) => ({
          ...attempt,
          label: Buffer.from(wrong).toString('hex'),
          body: Buffer.concat([
            Buffer.from('{"a":"'),
            Buffer.from(wrong),
            Buffer.from('",'),
            bytes.subarray(1),
          ]),
        })),
      ]
    })
    expectNone(await problemsOf(attempts, asAdmin, refusedAs(/^unable to parse JSON body: /)))
  })

  test('of another type is refused, and so is one without an end', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'x',
      ',',
    ]
    const typed = await each((_, attempt) =>
      types.map((type) => ({ ...attempt, label: type, headers: { 'content-type': type } })),
    )
    expectNone(
      await problemsOf(
        typed,
        asAdmin,
        refusedAs(/^(expected content type|unsupported content-type)/),
      ),
    )
    const large = await each((body, attempt) => {
      const max = attempt.id === 'disk_bulk_write_import' ? BULK_WRITE_BODY_MAX : BODY_MAX
      const padded = body + ' '.repeat(max + 1 - Buffer.byteLength(body))
      return [{ ...attempt, label: 'large', body: padded }]
    })
    expectNone(await problemsOf(large, asAdmin, refusedAs(/^request body exceeded maximum size/)))
  })

  test('may be spelled in any way that JSON has', async () => {
    const attempts = await each((body, attempt) => {
      const escapedKeys = body.replaceAll(/"(\w)(\w*)":/g, (_, first: string, rest: string) => {
        const code = first.charCodeAt(0).toString(16).padStart(4, '0')
        return String.raw`"\u${code}${rest}":`
      })
      return [
        { ...attempt, label: 'spaces', body: `\r\n\t ${body.replaceAll(':', '\n : \t')} \n` },
        { ...attempt, label: 'escapes', body: escapedKeys },
        {
          ...attempt,
          label: 'charset',
          headers: { 'content-type': 'Application/JSON; charset=utf-8' },
        },
      ]
    })
    expectNone(
      await problemsOf(attempts, asNobody, (answer) =>
        wasNotUnderstood(answer) ? 'was not understood' : undefined,
      ),
    )
  })

  test('of any JSON at all is no fault of the server', async () => {
    const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' })
    const [samples] = fc.sample(fc.array(json, { minLength: 40, maxLength: 40 }), {
      numRuns: 1,
      seed: Date.now(),
    })
    const attempts = await each((body, attempt) => {
      const base = JSON.parse(body) as Record<string, unknown>
      const keys = Object.keys(base)
      return samples!.flatMap((value, index) => {
        const key = keys[index % keys.length] ?? 'a'
        const texts = [JSON.stringify(value), JSON.stringify({ ...base, [key]: value })]
        return texts.map((text) => ({ ...attempt, label: text, body: text }))
      })
    })
    expectNone(
      await problemsOf(
        attempts.filter(({ id }) => !/policy/.test(id)),
        asAdmin,
        faultOf,
      ),
    )
  })
})

describe('a page token', () => {
  const lists = operations.filter(([, { scan }]) => scan)
  const encode = (token: unknown) =>
    Buffer.from(typeof token === 'string' ? token : JSON.stringify(token)).toString('base64url')
  const odd = [null, 0, '', '\0', '\ud800', 'x'.repeat(5000), [], {}]

  test('that somebody wrote is no fault of the server', async () => {
    const attempts: Attempt[] = []
    for (const [id, { scan }] of lists) {
      for (const way of waysToCall(id)) {
        const args = await way.args()
        const start = { ...args.query, last_seen: 'x', last_id: crypto.randomUUID() }
        const starts = [
          ...odd,
          ...scan!.modes.map((sort_by) => ({ ...start, sort_by })),
          ...[
            ...Object.keys(start),
            'sort_by',
            'search',
            'limit',
            'page_token',
            '__proto__',
          ].flatMap((key) => odd.map((value) => ({ ...start, [key]: value }))),
          ...scan!.modes.flatMap((sort_by) =>
            odd.map((last_seen) => ({ ...start, sort_by, last_seen })),
          ),
        ]
        const tokens = [
          ...odd.map(encode),
          ...odd.map((v) => encode({ v, page_start: start })),
          ...starts.map((page_start) => encode({ v: 'v1', page_start })),
          encode('{"v":"v1","page_start":'),
          '%%%',
          'a'.repeat(8191),
        ]
        for (const page_token of tokens) {
          const path = locationOf(id, { ...args, query: { page_token } })
          const said = Buffer.from(page_token, 'base64url').toString()
          attempts.push({ id, label: said.slice(0, 200), path, legal: false })
        }
      }
    }
    expectNone(
      await problemsOf(attempts, asAdmin, (answer) =>
        answer.status === 400 ? undefined : faultOf(answer),
      ),
    )
  })
})

test('headers that make no sense are no fault of the server', async () => {
  const numbers = ['', 'x', '-1', '0', '9'.repeat(400), '1e9', '\u00ff']
  const ranges = ['bytes=', 'bytes=a-b', 'bytes=9-1', 'bytes=-0', 'bytes=0-0,2-2', 'bits=0-1']
  const credentials = ['session=', 'session=\u00ff', 'Bearer', 'Bearer oxide-token-x', 'Basic x']
  const odd: [OperationId, names: string[], values: string[]][] = [
    ['disk_contents', ['range', 'if-range', 'if-none-match'], [...ranges, ...numbers]],
    ['snapshot_contents', ['range'], [...ranges, `bytes=${'9'.repeat(30)}-`]],
    ['event_stream', ['last-event-id', 'accept'], numbers],
    ['project_list', ['cookie', 'authorization'], [...credentials, ...numbers]],
    ['ping', ['api-version', 'x-forwarded-host', 'sec-fetch-site', 'content-type'], numbers],
  ]
  const attempts: Attempt[] = []
  for (const [id, names, values] of odd) {
    const path = locationOf(id, await waysToCall(id)[0]!.args())
    for (const name of names) {
      for (const value of values) {
        const headers = { [name]: value }
        attempts.push({ id, label: `${name}: ${value}`, path, headers, legal: false })
      }
    }
  }
  expectNone(await problemsOf(attempts, asAdmin, faultOf))
})

test('every field of every request was tried', () => {
  for (const [id, { parameters, body }] of Object.entries(documented)) {
    const tried = all.filter((attempt) => attempt.id === id)
    for (const { name } of parameters) {
      const texts = tried.filter(({ label }) => label.startsWith(`${name} = `))
      expect(texts.length, `${id} ${name}`).toBeGreaterThan(15)
    }
    const inBody = tried.filter(({ again }) => again)
    expect(inBody.length, id).toBeGreaterThan(body ? 50 : -1)
  }
  expect(all.length).toBeGreaterThan(10_000)
})
