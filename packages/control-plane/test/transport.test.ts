/**
 * Every kind of operation that the table can declare, over HTTP: a table of examples, including
 * kinds that no resource uses yet.
 */
import { type Operation, type Schema } from '@steading/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bytes, record, string, uint32 } from '../../api/src/schema.ts'
import type { OpenDatabase } from '../src/kernel/db/database.ts'
import { noInstrumentation } from '../src/kernel/instrumentation.ts'
import { createOutages } from '../src/kernel/outages.ts'
import { createEventFeed, type EventFeed } from '../src/kernel/events/feed.ts'
import { portable } from '../src/kernel/ports/native.ts'
import type { ControlPlaneServices } from '../src/kernel/services.ts'
import { defaultSettings } from '../src/kernel/settings.ts'
import { createCallerCache } from '../src/resources/identity/auth/authenticate.ts'
import { createApp, type Routes } from '../src/transport/app.ts'
import { createSocketOpener } from '../src/transport/open-socket.ts'
import { openMigrated } from './support/migrated.ts'

const Code = record('TransportTestCode', { client: string, ttl: uint32.optional() })

const base = { tags: [], summary: 'Example', permission: 'public' } as const
const at = (method: Operation['method'], path: string, more: Partial<Operation>): Operation => ({
  ...base,
  method,
  path,
  success: { status: 204 },
  ...more,
})
const answers = (schema: Schema, contentType?: string) => ({
  success: { status: 200, schema, contentType } as const,
})
const octets = { body: bytes, bodyType: 'application/octet-stream', transaction: 'none' } as const

const operations: Record<string, Operation> = {
  sign_in: at('GET', '/sign-in', { success: { status: 302 } }),
  signed_in: at('POST', '/sign-in', {
    ...octets,
    anyContentType: true,
    transaction: 'own',
    success: { status: 303 },
  }),
  form: at('POST', '/form', {
    body: Code,
    bodyType: 'application/x-www-form-urlencoded',
    transaction: 'own',
    ...answers(Code),
  }),
  scim: at('PATCH', '/scim', { body: Code, bodyType: 'application/scim+json', ...answers(Code) }),
  raw: at('PUT', '/raw', { ...octets, maxBody: 4, ...answers(uint32) }),
  stream: at('PUT', '/stream', { ...octets, streamed: true, maxBody: 4, ...answers(uint32) }),
  text: at('GET', '/text', answers(string, 'text/plain')),
  download: at('GET', '/file', {
    headers: { range: string.optional() },
    ...answers(bytes, 'application/zip'),
  }),
  file_head: at('HEAD', '/file', { success: { status: 200, freeForm: true } }),
  own_errors: at('GET', '/own-errors', { success: { status: 200, freeForm: true } }),
  query: at('POST', '/query', { body: Code, transaction: 'none', ...answers(uint32) }),
  write: at('POST', '/write', {}),
  renamed: at('GET', '/renamed', {
    query: { switch_slot: uint32 },
    formerQuery: { switch_location: { name: 'switch_slot', until: 2026030600 } },
    ...answers(uint32),
  }),
  chat: at('GET', '/chat/{room}', {
    params: { room: string },
    websocket: true,
    success: { status: 101 },
  }),
  news: at('GET', '/news', { websocket: true, success: { status: 101 } }),
  book_view: at('GET', '/books/{book}', { params: { book: string }, ...answers(string) }),
  book_delete: at('DELETE', '/books/{book}', { params: { book: string } }),
  book_newest: at('GET', '/books/newest', answers(string)),
  book_try: at('POST', '/books/try', answers(string)),
}

/** Whether the handler ran in its own transaction. */
let inTransaction: boolean

type Ctx = { params: any; query: any; body: any; headers: any; db: { isTransaction: boolean } }
const socket = (name: string) => ({
  open: () => {},
  message: () => {},
  text: () => {},
  sent: () => {},
  closed: () => {},
  name,
})
const handlers = {
  sign_in: async () => ({ location: '/login/main/local' }),
  signed_in: async ({ body }: Ctx) => ({ location: new TextDecoder().decode(body) }),
  form: async ({ body }: Ctx) => body,
  scim: async ({ body }: Ctx) => body,
  raw: async ({ body }: Ctx) => body.length,
  async stream({ body }: Ctx) {
    let size = 0
    for await (const chunk of body) size += chunk.length
    return size
  },
  text: async () => 'plain ünicode',
  download: async ({ headers }: Ctx) => new TextEncoder().encode(headers.range ?? 'all of it'),
  file_head: async () => new Response(null, { headers: { 'content-length': '9' } }),
  own_errors: async () => Response.json({ error: 'authorization_pending' }, { status: 400 }),
  async query({ db, body }: Ctx) {
    inTransaction = db.isTransaction
    return body.ttl
  },
  async write({ db }: Ctx) {
    inTransaction = db.isTransaction
  },
  renamed: async ({ query }: Ctx) => query.switch_slot,
  chat: async ({ params }: Ctx) => socket(`chat in ${params.room}`),
  news: async () => socket('news'),
  book_view: async ({ params }: Ctx) => `the book ${params.book}`,
  book_delete: async () => {},
  book_newest: async () => 'the newest book',
  book_try: async () => 'a try',
}

let database: OpenDatabase
let feed: EventFeed
let services: ControlPlaneServices
let send: (method: string, path: string, init?: RequestInit) => Promise<Response>

beforeAll(async () => {
  database = await openMigrated()
  feed = createEventFeed(database.db, 'sqlite', () => {})
  services = {
    database,
    feed,
    native: portable,
    settings: { ...defaultSettings, log: () => {} },
    callers: createCallerCache(),
    outages: createOutages({
      outageOf: () => undefined,
      read: async () => {},
      write: async () => {},
      check: undefined,
      clock: () => new Date(),
      reserve: undefined,
      log: () => {},
      over: () => {},
    }),
    measures: noInstrumentation,
    clock: () => new Date(),
  } as unknown as ControlPlaneServices
  const app = createApp(services, { operations, handlers } as never as Routes)
  send = async (method, path, init) =>
    app.fetch(new Request(`http://host${path}`, { method, ...init }), { clientAddress: '' })
})
afterAll(async () => {
  feed.close()
  await database.close()
})

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const messageOf = async (response: Response) => ((await response.json()) as any).message as string

describe('a path beside one with a parameter', () => {
  test.each([
    ['GET', '/books/newest', 'the newest book'],
    ['POST', '/books/try', 'a try'],
    ['GET', '/books/a%20b?x=1', 'the book a b'],
  ])('%s %s', async (method, path, answer) => {
    expect(await (await send(method, path)).json()).toBe(answer)
  })

  test('has only its own methods', async () => {
    for (const [path, allowed] of [
      ['/books/newest', ['GET']],
      ['/books/try', ['POST']],
      ['/books/other', ['DELETE', 'GET']],
    ] as const) {
      const response = await send('PROPFIND', path)
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')?.split(', ').sort()).toEqual(allowed)
    }
    expect((await send('PROPFIND', '/books')).status).toBe(404)
    expect((await send('GET', '/books/')).status).toBe(404)
  })
})

describe('redirects', () => {
  test("go to the handler's target, with a request id and without a body", async () => {
    const response = await send('GET', '/sign-in')
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('/login/main/local')
    expect(response.headers.get('x-request-id')).toBeTruthy()
    expect(await response.text()).toBe('')
  })

  test('after a POST are 303, and its body may be of any type', async () => {
    const response = await send('POST', '/sign-in', { headers: form, body: '/projects' })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/projects')
  })
})

describe('forms', () => {
  test('are decoded and validated', async () => {
    const body = new URLSearchParams({ client: 'a b&ü', ttl: '5', other: 'x' })
    const response = await send('POST', '/form', { body })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ client: 'a b&ü', ttl: 5 })
  })

  test.each([
    ['ttl=1', 'missing field `client`'],
    ['client=a&ttl=x', 'ttl: invalid digit found in string'],
    ['client=a&ttl=-1', 'ttl: invalid digit found in string'],
    ['', 'missing field `client`'],
  ])('%j is refused', async (body, reason) => {
    const response = await send('POST', '/form', { headers: form, body })
    expect(response.status).toBe(400)
    expect(await messageOf(response)).toBe(`unable to parse URL-encoded body: ${reason}`)
  })

  test('are not JSON', async () => {
    const headers = { 'content-type': 'application/json' }
    const response = await send('POST', '/form', { headers, body: '{"client":"a"}' })
    expect(await messageOf(response)).toBe(
      'expected content type "application/x-www-form-urlencoded", got "application/json"',
    )
  })
})

test('JSON of another protocol may be sent as plain JSON', async () => {
  for (const type of ['application/scim+json', 'application/json; charset=utf-8']) {
    const headers = { 'content-type': type }
    const response = await send('PATCH', '/scim', { headers, body: '{"client":"a"}' })
    expect(response.status).toBe(200)
  }
  const refused = await send('PATCH', '/scim', { headers: form, body: '{"client":"a"}' })
  expect(refused.status).toBe(400)
})

describe.each(['/raw', '/stream'])('bytes sent to %s', (path) => {
  test('arrive unchanged', async () => {
    const response = await send('PUT', path, { body: new Uint8Array([0, 255, 128]) })
    expect(await response.json()).toBe(3)
  })

  test('are limited, whether or not their number was declared before', async () => {
    const message = 'request body exceeded maximum size of 4 bytes'
    const said = await send('PUT', path, {
      headers: { 'content-length': '5' },
      body: new Uint8Array(5),
    })
    expect(said.status).toBe(400)
    expect(await messageOf(said)).toBe(message)
    const pieces = new ReadableStream({
      start(controller) {
        for (let piece = 0; piece < 3; piece++) controller.enqueue(new Uint8Array(2))
        controller.close()
      },
    })
    const unsaid = await send('PUT', path, { body: pieces, duplex: 'half' } as RequestInit)
    expect(unsaid.status).toBe(400)
    expect(await messageOf(unsaid)).toBe(message)
  })
})

describe('answers', () => {
  test('may be text', async () => {
    const response = await send('GET', '/text')
    expect(response.headers.get('content-type')).toBe('text/plain')
    expect(await response.text()).toBe('plain ünicode')
  })

  test('may be bytes, and depend on a header', async () => {
    const response = await send('GET', '/file', { headers: { range: 'bytes=0-1' } })
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(await response.text()).toBe('bytes=0-1')
  })

  test('to HEAD are those of its own operation', async () => {
    const response = await send('HEAD', '/file')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe('9')
    expect((await send('HEAD', '/text')).headers.get('content-type')).toBe('text/plain')
  })

  test('may have errors in another format', async () => {
    const response = await send('GET', '/own-errors')
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: 'authorization_pending' })
    expect(response.headers.get('x-request-id')).toBeTruthy()
  })
})

describe('a POST call', () => {
  test('opens no transaction if it only reads', async () => {
    const response = await send('POST', '/query', {
      headers: { 'content-type': 'application/json' },
      body: '{"client":"a","ttl":7}',
    })
    expect(await response.json()).toBe(7)
    expect(inTransaction).toBe(false)
  })

  test('otherwise writes in one transaction', async () => {
    expect((await send('POST', '/write')).status).toBe(204)
    expect(inTransaction).toBe(true)
  })
})

describe('a renamed query parameter', () => {
  const ask = async (query: string, version?: string) =>
    (
      await send('GET', `/renamed?${query}`, version ? { headers: { 'api-version': version } } : {})
    ).json()

  test('is accepted by its old name from older clients, and without a version', async () => {
    expect(await ask('switch_location=1')).toBe(1)
    expect(await ask('switch_location=1', '2026021301.0.0')).toBe(1)
    expect(await ask('switch_location=1&switch_slot=2', '2026021301.0.0')).toBe(2)
    expect(await ask('switch_location=1', '2026030600.0.0')).toMatchObject({
      message: 'unable to parse query string: missing field `switch_slot`',
    })
  })
})

describe('WebSockets', () => {
  test('each have their own parameters', async () => {
    const open = createSocketOpener(services, { operations, handlers } as never as Routes)
    const opened = async (path: string) =>
      (await open(new Request(`http://host${path}`), { clientAddress: '' })) as any
    expect((await opened('/chat/a%20room')).name).toBe('chat in a room')
    expect((await opened('/news')).name).toBe('news')
    expect((await opened('/text')).status).toBe(404)
  })

  test('called without an upgrade report the missing part', async () => {
    const asked = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
    expect(await messageOf(await send('GET', '/news'))).toBe('expected connection upgrade')
    expect(await messageOf(await send('GET', '/news', { headers: asked }))).toBe(
      'missing websocket key',
    )
  })
})
