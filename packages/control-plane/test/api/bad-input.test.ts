/**
 * Invalid input for every field of every operation, generated from the document of the contract. It
 * is refused with the field's name, never causes a server error, and changes nothing; valid input
 * is accepted.
 */
import { isOptional, type Operation, type OperationId, operationTable } from '@steading/api'
import { BODY_MAX } from '@steading/api/rules'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  type Attempt,
  bodyAttempts,
  messageOf,
  parameterAttempts,
  problemsOf,
  send,
  takingTurns,
  withoutRepeats,
} from '../support/attempts.ts'
import { long } from '../support/long.ts'
import { type Answer, locationOf } from '../support/caller.ts'
import { documented, type Examples } from '../support/contract.ts'
import { changeEvents } from '../support/event-stream.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { probeOf } from '../support/probes/index.ts'
import type { Probe } from '../support/probes/probe.ts'
import { createWorld, provider } from '../support/probes/world.ts'
import type { ScimError } from '../support/scim.ts'
import { importingDisk } from '../support/storage.ts'
import { reaches, smallInstance } from '../support/things.ts'

const query = { project: 'web' }

let server: TestServer
/** Names of existing things, so that valid input gets as far as possible. */
let examples: Examples
/** Calls that get further than the probes, which only test permissions. */
let further: Partial<Record<OperationId, Probe>>

beforeAll(async () => {
  server = await startTestServer({ multicast: true })
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
    external_subnet: 'loose',
    disk: 'data',
    snapshot_id: snapshot.id,
    image_id: image.id,
    block_size: 512,
    size: 2 ** 30,
  }
  let projects = 0
  further = {
    // A project other than the one with everything in it, because the calls rename it.
    project_update: {
      async args() {
        const name = `renamed-${projects++}`
        const project = await admin.call('project_create', { body: { name, description: '' } })
        return { params: { project: project.id }, body: { name, description: '' } }
      },
    },
    // Another silo, because the other calls need the quotas of theirs.
    silo_quotas_update: { args: () => ({ params: { silo: 'elsewhere' }, body: {} }) },
    disk_bulk_write_import: {
      args: () => ({ params: { disk }, body: { offset: 0, base64_encoded_data: '' } }),
    },
    disk_contents_write: { args: () => ({ params: { disk }, query: { offset: 0 } }) },
    disk_import_view: { args: () => ({ params: { disk } }) },
    // Each of its bodies contains every kind of change, so one of them suffices.
    reachability_changes: {
      args: () => ({
        query: { ...query, vpc: 'default' },
        body: { type: 'firewall_rules', update: { rules: [] } },
      }),
    },
    instance_serial_console: { args: () => ({ params: { instance }, query: { from_start: 0 } }) },
  }
})
afterAll(() => server.close())

const operations = Object.entries(operationTable) as [OperationId, Operation][]
/** A part of the operations: all of them are parsed by the same code. The long tests try each. */
const oneInTen = <T>(all: readonly T[]): readonly T[] =>
  long ? all : all.filter((_, index) => index % 10 === 0)
/** Operations in the document; others have tests of their own. */
const ids = oneInTen(operations.map(([id]) => id).filter((id) => documented[id]))
const withBody = oneInTen(
  operations.filter(
    ([, { body, bodyType = 'application/json' }]) => body && bodyType.endsWith('json'),
  ),
)

function waysToCall(id: OperationId): Probe[] {
  const probe = further[id] ?? probeOf(id)
  return 'args' in probe ? [probe as Probe] : (Object.values(probe) as Probe[])
}

async function attemptsOn(id: OperationId): Promise<Attempt[]> {
  const found: Attempt[] = []
  for (const way of waysToCall(id)) {
    const args = await way.args()
    found.push(...parameterAttempts(id, args), ...bodyAttempts(id, args, way, examples))
  }
  return found
}

const prepared = new Map<OperationId, Attempt[]>()
beforeAll(async () => {
  const tried = new Map<string, string>()
  for (const id of ids) prepared.set(id, withoutRepeats(await attemptsOn(id), tried))
})

/** The newest event, which reveals whether anything has changed. */
async function lastEvent(): Promise<number> {
  const newest = await changeEvents(server.db)
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  return Number(newest.id)
}

const asNobody = (attempt: Attempt) => send(server.anonymous, attempt)
/** Signing out would end the session of the later calls. */
const asAdmin = (attempt: Attempt) =>
  send(
    operationTable[attempt.id].permission === 'scim'
      ? provider.caller
      : attempt.id === 'logout' || attempt.id === 'sign_out'
        ? server.anonymous
        : server.admin,
    attempt,
  )

/** A policy without any roles is legal, but would lock the test out. */
const locksOut = (id: OperationId, label: string) =>
  id.endsWith('policy_update') && label === 'role_assignments = []'

/**
 * Rules that the document cannot express: the ends of a range are in order and of one version, a
 * multicast group is a name, an ID or an address, and an allow list is not empty.
 */
const isUnsaid = (id: OperationId, label: string) =>
  (/_range_(add|remove)$/.test(id) && /^(first|last) = "(::1|1\.2\.3\.4)"$/.test(label)) ||
  /^multicast_group(s\[\d+\]\.group)? = /.test(label) ||
  label === 'allowed_ips.ips = []'

/** Classes of alerts have their own error, as valid text with an unknown value. */
const isAlertClass = (id: OperationId, label: string) =>
  /^(alert_|webhook_)/.test(id) &&
  /^(filter|alert_class|subscription|subscriptions\[\d+\]) = /.test(label)

/**
 * A reached limit is no fault, and neither are operations that the simulated engine cannot carry
 * out; all other server errors are.
 */
const faultOf = ({ status }: Answer): string | undefined =>
  status >= 500 && status !== 501 && status !== 507 ? 'failed' : undefined

/** Devices also get the answer of their standard that means to keep polling. */
const wasNotUnderstood = ({ status, body }: Answer): boolean =>
  (status === 400 && 'message' in (body as object) && !('error_code' in (body as object))) ||
  (status === 400 && (body as ScimError).scimType === 'invalidSyntax') ||
  // A body that is too large for SCIM.
  (status === 413 && 'detail' in (body as object))

/** The rule of a text or list refuses it, and may say first what else is wrong. */
function isRefusedByRule(answer: Answer, exceeded: Attempt['exceeded']): boolean {
  if (exceeded === undefined || answer.status !== 400) return false
  const { items } = exceeded
  return items === undefined || new RegExp(`(at most|more than) ${items} `).test(messageOf(answer))
}

/** Refusals before the first query do not depend on the database. */
const onceEnough = inject('dialect') !== 'sqlite'
const idsOnce = onceEnough ? [] : ids

test.each(idsOnce)('%s refuses values outside the contract, and names them', async (id) => {
  const bad = prepared.get(id)!.filter(({ legal, label }) => !legal && !isUnsaid(id, label))
  const before = await lastEvent()
  expect(
    await problemsOf(bad, asAdmin, (answer, { named, label, exceeded }) => {
      // An answer to HEAD has no message.
      if (answer.body === undefined && answer.status === 400) return undefined
      if (isAlertClass(id, label) && [400, 404].includes(answer.status)) return undefined
      // TUF validates the document of a trust root, not the contract.
      if (id === 'system_update_trust_root_create' && answer.status === 400) return undefined
      if (isRefusedByRule(answer, exceeded)) return undefined
      if (!wasNotUnderstood(answer)) return 'was not refused'
      return named!.test(messageOf(answer)) ? undefined : 'was refused without its name'
    }),
  ).toEqual([])
  expect(await lastEvent()).toBe(before)
})

describe('values within the contract', () => {
  const good = (id: OperationId) =>
    prepared.get(id)!.filter(({ legal, label }) => legal && !isUnsaid(id, label))

  test.each(idsOnce)('are accepted by %s', async (id) => {
    const isPublic = operationTable[id].permission === 'public'
    expect(
      await problemsOf(good(id), asNobody, (answer) => {
        // A caller without credentials learns only whether the request was well-formed.
        const understood = isPublic ? !wasNotUnderstood(answer) : answer.status === 401
        return understood ? undefined : 'was not understood'
      }),
    ).toEqual([])
  })

  test.each(ids)('%s causes no server error, with any values', async (id) => {
    expect(
      await problemsOf(
        good(id).filter(({ label }) => !locksOut(id, label)),
        async (attempt) => asAdmin({ ...attempt, ...(await attempt.again?.()) }),
        faultOf,
      ),
    ).toEqual([])
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
  /** For each operation with a body, from a valid one. */
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

  test.skipIf(onceEnough)(
    'that is not JSON is refused with the position of the error',
    async () => {
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
      const some = takingTurns(4)
      const attempts = await each((body, attempt) =>
        // An optional body may be empty.
        some(
          broken(body).filter(
            (text) => text !== '' || !isOptional(operationTable[attempt.id].body!),
          ),
        ).map((text) => ({ ...attempt, label: text.slice(0, 80), body: text })),
      )
      const where = /^unable to parse JSON body: .* at line \d+ column \d+$/
      expect(await problemsOf(attempts, asAdmin, refusedAs(where))).toEqual([])
    },
  )

  test.skipIf(onceEnough)('that is not UTF-8 is refused, not repaired', async () => {
    const some = takingTurns(1)
    const attempts = await each((body, attempt) => {
      const bytes = Buffer.from(body)
      return [
        { ...attempt, label: 'UTF-16', body: Buffer.from(body, 'utf16le') },
        ...some([[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]]).map((wrong) => ({
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
    expect(await problemsOf(attempts, asAdmin, refusedAs(/^unable to parse JSON body: /))).toEqual(
      [],
    )
  })

  test.skipIf(onceEnough)('of another type is refused, and so is one without an end', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'x',
      ',',
    ]
    const some = takingTurns(1)
    const typed = await each((_, attempt) =>
      some(types).map((type) => ({ ...attempt, label: type, headers: { 'content-type': type } })),
    )
    expect(
      await problemsOf(
        typed,
        asAdmin,
        refusedAs(/^(expected content type|unsupported content-type)/),
      ),
    ).toEqual([])
    const seen: number[] = []
    const large = await each((body, attempt) => {
      const max = operationTable[attempt.id as OperationId].maxBody ?? BODY_MAX
      seen.push(max)
      // Megabytes each: `npm test` tries a few operations of each limit.
      if (!long && seen.filter((other) => other === max).length > 5) return []
      const padded = body + ' '.repeat(max + 1 - Buffer.byteLength(body))
      return [{ ...attempt, label: 'large', body: padded }]
    })
    expect(
      await problemsOf(large, asAdmin, refusedAs(/^request body exceeded maximum size/)),
    ).toEqual([])
  })

  test.skipIf(onceEnough)('may be spelled in any way that JSON allows', async () => {
    const some = takingTurns(1)
    const attempts = await each((body, attempt) => {
      const escapedKeys = body.replaceAll(/"(\w)(\w*)":/g, (_, first: string, rest: string) => {
        const code = first.charCodeAt(0).toString(16).padStart(4, '0')
        return String.raw`"\u${code}${rest}":`
      })
      return some([
        { ...attempt, label: 'spaces', body: `\r\n\t ${body.replaceAll('":', '"\n : \t')} \n` },
        { ...attempt, label: 'escapes', body: escapedKeys },
        {
          ...attempt,
          label: 'charset',
          headers: { 'content-type': 'Application/JSON; charset=utf-8' },
        },
      ]).slice()
    })
    expect(
      await problemsOf(attempts, asNobody, (answer) =>
        wasNotUnderstood(answer) ? 'was not understood' : undefined,
      ),
    ).toEqual([])
  })

  test('of arbitrary JSON causes no server error', async () => {
    const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' })
    const length = long ? 15 : 2
    const [samples] = fc.sample(fc.array(json, { minLength: length, maxLength: length }), {
      numRuns: 1,
      seed: Date.now(),
    })
    const attempts = await each((body, attempt) => {
      const base = JSON.parse(body) as Record<string, unknown>
      const keys = Object.keys(base)
      return samples!.flatMap((value, index) => {
        const key = keys[index % keys.length] ?? 'a'
        const changed = JSON.stringify({ ...base, [key]: value })
        const twice = changed.replace('{', `{${JSON.stringify(key)}:0,`)
        const texts = [JSON.stringify(value), changed, twice]
        return texts.map((text) => ({ ...attempt, label: text, body: text }))
      })
    })
    expect(
      await problemsOf(
        attempts.filter(({ id }) => !/policy/.test(id)),
        asAdmin,
        faultOf,
      ),
    ).toEqual([])
  })
})

describe('a page token', () => {
  const lists = oneInTen(operations.filter(([, { scan }]) => scan))
  const encode = (token: unknown) =>
    Buffer.from(typeof token === 'string' ? token : JSON.stringify(token)).toString('base64url')
  const odd = [null, 0, '', '\0', '\ud800', 'x'.repeat(5000), [], {}]
  const some = takingTurns(2)
  const oneOf = takingTurns(1)

  test.each(lists)('of %s, forged by a client, causes no server error', async (id, { scan }) => {
    const attempts: Attempt[] = []
    for (const way of waysToCall(id)) {
      const args = await way.args()
      const start = { ...args.query, last_seen: 'x', last_id: crypto.randomUUID() }
      const starts = [
        ...some(odd),
        ...scan!.modes.map((sort_by) => ({ ...start, sort_by })),
        ...[...Object.keys(start), 'sort_by', 'search'].flatMap((key) =>
          oneOf(odd).map((value) => ({ ...start, [key]: value })),
        ),
        ...scan!.modes.map((sort_by) => ({ ...start, sort_by, last_seen: '\0' })),
      ]
      const tokens = [
        ...some(odd).map(encode),
        ...some(odd).map((v) => encode({ v, page_start: start })),
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
    expect(
      await problemsOf(attempts, asAdmin, (answer) =>
        answer.status === 400 ? undefined : faultOf(answer),
      ),
    ).toEqual([])
  })
})

test('invalid headers cause no server error', async () => {
  const numbers = ['', 'x', '-1', '0', '9'.repeat(400), '1e9', '\u00ff']
  const ranges = ['bytes=', 'bytes=a-b', 'bytes=9-1', 'bytes=-0', 'bytes=0-0,2-2', 'bits=0-1']
  const credentials = ['session=', 'session=\u00ff', 'Bearer', 'Bearer oxide-token-x', 'Basic x']
  const bundleBytes = (['index', 'download', 'head', 'download_file', 'head_file'] as const).map(
    (what): [OperationId, string[], string[]] => [`support_bundle_${what}`, ['range'], ranges],
  )
  const odd: [OperationId, names: string[], values: string[]][] = [
    ['disk_contents', ['range', 'if-range', 'if-none-match'], [...ranges, ...numbers]],
    ['snapshot_contents', ['range'], [...ranges, `bytes=${'9'.repeat(30)}-`]],
    ...bundleBytes,
    ['event_stream', ['last-event-id', 'accept'], numbers],
    ['project_list', ['cookie', 'authorization'], [...credentials, ...numbers]],
    ['ping', ['api-version', 'x-forwarded-host', 'sec-fetch-site', 'content-type'], numbers],
  ]
  for (const [id, { headers = {} }] of operations) {
    const tried = odd.find(([other]) => other === id)?.[1] ?? []
    expect(tried, id).toEqual(expect.arrayContaining(Object.keys(headers)))
  }
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
  expect(await problemsOf(attempts, asAdmin, faultOf)).toEqual([])
})

test('every field of every request was tried', () => {
  for (const id of ids) {
    const { parameters, body } = documented[id]!
    const tried = prepared.get(id)!
    for (const { name } of parameters) {
      const texts = tried.filter(({ label }) => label.startsWith(`${name} = `))
      expect(texts.length, `${id} ${name}`).toBeGreaterThan(long ? 1 : 0)
    }
    const inBody = tried.filter(({ again }) => again)
    // A body of arbitrary JSON, only as a whole.
    const fewest = long && Object.keys(body ?? {}).length > 0 ? 10 : 1
    expect(inBody.length, id).toBeGreaterThan(body ? fewest : -1)
  }
  const all = [...prepared.values()].flat()
  expect(all.filter(({ legal }) => legal).length).toBeGreaterThan(long ? 2_500 : 100)
  expect(all.filter(({ legal }) => !legal).length).toBeGreaterThan(long ? 12_000 : 800)
})
