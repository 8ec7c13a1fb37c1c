import { createClient, toQuery } from '@steading/api/client'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromWire, parseResponse, toWire } from '../src/client/mapping.ts'

const camelKey = fc
  .array(fc.stringMatching(/^[a-z][a-z0-9]{0,4}$/), { minLength: 1, maxLength: 3 })
  .map(([first, ...rest]) =>
    [first, ...rest.map((word) => word[0]!.toUpperCase() + word.slice(1))].join(''),
  )
const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
const ours = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie('value')), tie('record')),
  record: fc.dictionary(camelKey, tie('value'), { noNullPrototype: true }),
})).record

describe('mapping between the spellings', () => {
  test('is lossless in both directions', () => {
    fc.assert(
      fc.property(ours, (value) => {
        expect(fromWire(toWire(value))).toEqual(value)
      }),
    )
  })

  test('converts times in fields for times to dates, and back', () => {
    const time = new Date('2030-01-02T03:04:05.678Z')
    const mapped = {
      timeCreated: time,
      startTime: time,
      autoRestartCooldownExpiration: time,
      timestamp: time,
      values: [{ timeModified: time }],
    }
    const wire = {
      time_created: '2030-01-02T03:04:05.678Z',
      start_time: '2030-01-02T03:04:05.678Z',
      auto_restart_cooldown_expiration: '2030-01-02T03:04:05.678Z',
      timestamp: '2030-01-02T03:04:05.678Z',
      values: [{ time_modified: '2030-01-02T03:04:05.678Z' }],
    }
    expect(toWire(mapped)).toEqual(wire)
    expect(fromWire(wire)).toEqual(mapped)
  })

  test('leaves alone text that looks like a time, or is in other fields', () => {
    const wire = { time_created: 'yesterday', description: '2030-01-02T03:04:05Z', ncpus: 4 }
    expect(fromWire(wire)).toEqual({
      timeCreated: 'yesterday',
      description: '2030-01-02T03:04:05Z',
      ncpus: 4,
    })
    expect(fromWire({ time_created: null })).toEqual({ timeCreated: null })
  })

  test('keeps digits attached to their word', () => {
    expect(fromWire({ ipv4_block: 1, transit_ips_v4: 2 })).toEqual({
      ipv4Block: 1,
      transitIpsV4: 2,
    })
    expect(toWire({ ipv4Block: 1 })).toEqual({ ipv4_block: 1 })
  })
})

describe('queries', () => {
  test('repeat arrays, omit absent values, and format times', () => {
    expect(toQuery()).toBe('')
    expect(toQuery({ project: undefined, vpc: null })).toBe('')
    expect(
      toQuery({
        pageToken: 'a=b&c',
        limit: 0,
        tags: ['x', 'y', null],
        startTime: new Date('2030-01-02T03:04:05Z'),
      }),
    ).toBe('?page_token=a%3Db%26c&limit=0&tags=x&tags=y&start_time=2030-01-02T03%3A04%3A05.000Z')
  })
})

describe('answers', () => {
  test('are successes with data', async () => {
    const result = await parseResponse(Response.json({ silo_name: 'main' }, { status: 201 }))
    expect(result).toMatchObject({ type: 'success', status: 201, data: { siloName: 'main' } })
  })

  test('may be empty', async () => {
    const result = await parseResponse(new Response(null, { status: 204 }))
    expect(result).toMatchObject({ type: 'success', status: 204, data: {} })
  })

  test('are errors with the body of the control plane', async () => {
    const body = { request_id: 'r', error_code: 'Forbidden', message: 'Forbidden' }
    expect(await parseResponse(Response.json(body, { status: 403 }))).toMatchObject({
      type: 'error',
      status: 403,
      data: { requestId: 'r', errorCode: 'Forbidden', message: 'Forbidden' },
    })
  })

  test('are errors of their own kind if they are not JSON', async () => {
    const result = await parseResponse(new Response('<html>', { status: 502 }))
    expect(result).toMatchObject({ type: 'client_error', status: 502, text: '<html>' })
  })
})

describe('the client', () => {
  const recorded = (options: { token?: string } = {}) => {
    const calls: { url: string; init: RequestInit }[] = []
    const client = createClient({
      baseUrl: 'https://cloud.example',
      ...options,
      fetch: async (url, init) => {
        calls.push({ url: String(url), init: init! })
        return Response.json({ items: [] })
      },
    })
    return { client, calls }
  }

  test('fills in paths and queries', async () => {
    const { client, calls } = recorded()
    await client.instanceView({ path: { instance: 'a/b' }, query: { project: 'p' } })
    expect(calls[0]).toMatchObject({
      url: 'https://cloud.example/v1/instances/a%2Fb?project=p',
      init: { method: 'GET', body: undefined },
    })
  })

  test('sends bodies in wire spelling, with its API version', async () => {
    const { client, calls } = recorded()
    await client.projectPolicyUpdate({
      path: { project: 'p' },
      body: { roleAssignments: [] },
    })
    const { method, body, headers } = calls[0]!.init
    expect({ method, body }).toEqual({ method: 'PUT', body: '{"role_assignments":[]}' })
    expect(headers).toEqual({
      'content-type': 'application/json',
      'api-version': '2026081901.0.0',
    })
  })

  test('sends its token, if any', async () => {
    const { client, calls } = recorded({ token: 't' })
    await client.projectList()
    expect(calls[0]!.init.headers).toMatchObject({ authorization: 'Bearer t' })
  })

  test('can abort calls', async () => {
    const { client, calls } = recorded()
    const { signal } = new AbortController()
    await client.projectList({}, { signal })
    expect(calls[0]!.init.signal).toBe(signal)
  })
})
