/**
 * No password, token, key or user data gets into the audit log, the events, the server's log or a
 * support bundle.
 */
import { type Operation, type OperationId, operationTable } from '@steading/api'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addBundle, contentsOfBundle } from '../support/bundles.ts'
import { documented, type JsonSchema, resolve } from '../support/contract.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { probes } from '../support/probes/index.ts'
import type { Probe } from '../support/probes/probe.ts'
import { createWorld } from '../support/probes/world.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ multicast: true })
  await createWorld(server)
})
afterAll(() => server.close())

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields whose values must not be stored anywhere else. */
const isSecret = (field: string): boolean =>
  /password|user_data|token|secret|key|cert|code|metadata|base64|saml/i.test(field)

const MARK = 'PLANTED'
let count = 0
/** Also valid base64. */
const plant = () => `${MARK}${String(count++).padStart(5, '0')}`

/** The value with a planted secret in all its texts; discriminators of unions stay. */
function planted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(planted)
  if (!isObject(value)) return plant()
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, name === 'type' ? part : planted(part)]),
  )
}

/** A body with secrets in all secret fields, including optional ones it lacks. */
function withSecrets(schema: JsonSchema, body: Json): Json {
  const fields = Object.entries(resolve(schema).properties ?? {})
  const optional = fields.filter(([name]) => isSecret(name)).map(([name]) => [name, undefined])
  const all = Object.entries({ ...Object.fromEntries(optional), ...body })
  const inside = new Map(fields)
  return Object.fromEntries(
    all.map(([name, value]) => {
      if (isSecret(name)) return [name, planted(value)]
      const its = inside.get(name)
      return [name, its && isObject(value) ? withSecrets(its, value) : value]
    }),
  )
}

const firstProbe = (id: OperationId): Probe => {
  const probe = probes[id] as Probe | Record<string, Probe>
  return typeof probe.args === 'function' ? (probe as Probe) : Object.values(probe)[0]!
}

const encoders: Record<string, (body: Json) => RequestInit> = {
  form: (body) => ({ body: new URLSearchParams(body as Record<string, string>) }),
  json: (body) => ({
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  }),
}

/** The same secrets in a valid body, in a field of another type, and in truncated JSON. */
function* attempts(body: Json, bodyType: string): Generator<RequestInit> {
  const encode = encoders[bodyType]!
  yield encode(body)
  if (bodyType !== 'json') return
  const strange = Object.entries(body).map(([name, value]) => [
    name,
    isSecret(name) ? [value] : value,
  ])
  yield encode(Object.fromEntries(strange))
  yield { ...encode({}), body: JSON.stringify(body).slice(0, -1) }
}

const urlOf = (path: string, { params = {}, query = {} }: { params?: Json; query?: Json }) => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
  const search = new URLSearchParams(query as Record<string, string>)
  return search.size > 0 ? `${filled}?${search}` : filled
}

test('keeps the secrets of calls out of logs, events and bundles', async () => {
  const printed: unknown[] = []
  const spy = vi.spyOn(console, 'error').mockImplementation((...args) => void printed.push(args))
  const ways: string[] = []
  const operations = Object.entries(operationTable) as [OperationId, Operation][]
  for (const [id, operation] of operations) {
    const { method, path, body: hasBody, bodyType = 'json' } = operation
    if (method === 'GET' || !hasBody || !(bodyType in encoders)) continue
    const args = await firstProbe(id).args()
    const schema = documented[id]?.body ?? {}
    const before = count
    const body = withSecrets(schema, (args.body ?? {}) as Json)
    if (count === before) continue
    ways.push(id)
    // Some calls end the session, or change the caller's permissions.
    const { caller } = await server.createUser(`of-${id}`, { fleet: 'admin', silo: 'admin' })
    const sender = operation.permission === 'public' ? server.anonymous : caller
    for (const init of attempts(body, bodyType)) {
      await (await sender.fetch(urlOf(path, args as never), { method, ...init })).arrayBuffer()
    }
  }
  spy.mockRestore()
  expect(ways).toEqual(
    expect.arrayContaining(['login_local', 'instance_create', 'device_auth_confirm']),
  )
  const entries = await server.db.selectFrom('audit_log').selectAll().execute()
  expect(new Set(entries.map(({ operation_id }) => operation_id))).toContain('instance_create')
  const events = await server.db.selectFrom('event').selectAll().execute()
  const bundle = await contentsOfBundle(server.admin, (await addBundle(server.admin)).id)
  expect(bundle).toContain('instance_create')
  for (const kept of [entries, events, printed, bundle]) {
    expect(JSON.stringify(kept).match(new RegExp(`.{80}${MARK}.{20}`))?.[0]).toBeUndefined()
  }
})
