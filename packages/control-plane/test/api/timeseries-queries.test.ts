import { timeseriesFacts } from '@steading/api'
import type { Sample } from '@steading/oxql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'

/** A while ago, but recent enough to be stored in full. */
const BEGIN = 60_000 * Math.floor(Date.now() / 60_000) - 3_600_000
const at = (seconds: number) => BEGIN + 1000 * seconds
const text = (seconds: number) => `@${new Date(at(seconds)).toISOString().slice(0, -1)}`

let server: TestServer
/**
 * The caller may view `mine`; `theirs` is another project of the silo, and `foreign` is in another.
 */
const ids = { mine: '', theirs: '', foreign: '', siloId: '', otherSiloId: '' }
const instances = { mine: '', theirs: '', foreign: '' }
let member: Caller

const usage = (project: 'mine' | 'theirs' | 'foreign', siloId: string): Sample[] =>
  [1, 2, 3, 4].map((index) => ({
    name: 'virtual_machine:vcpu_usage',
    fields: {
      instance_id: instances[project],
      project_id: ids[project],
      silo_id: siloId,
      sled_id: ids.siloId,
      sled_model: 'm',
      sled_revision: 1,
      sled_serial: 's',
      state: 'run',
      vcpu_id: 0,
    },
    timestamp: at(5 * index),
    startTime: at(0),
    datum: 1e9 * index,
  }))

const append = (samples: Sample[]) => server.host.controlPlane.engines.timeSeries!.append(samples)

beforeAll(async () => {
  server = await startTestServer()
  ids.siloId = server.siloId
  ids.otherSiloId = await server.createSilo('other')
  for (const name of ['mine', 'theirs'] as const) {
    const body = { name, description: '' }
    ids[name] = (await server.admin.call('project_create', { body })).id
    instances[name] = crypto.randomUUID()
  }
  const { caller } = await server.createUser('owner', { silo: 'admin' }, ids.otherSiloId)
  const foreign = await caller.call('project_create', { body: { name: 'mine', description: '' } })
  ids.foreign = foreign.id
  instances.foreign = crypto.randomUUID()
  member = (await server.createUser('member', { projects: { [ids.mine]: 'viewer' } })).caller
  await append([
    ...usage('mine', ids.siloId),
    ...usage('theirs', ids.siloId),
    ...usage('foreign', ids.otherSiloId),
    {
      name: 'switch_rib:active_routes',
      fields: { hostname: 'oxz_switch0', rack_id: ids.siloId, sled_id: ids.siloId },
      timestamp: at(5),
      datum: 7,
    },
    ...[5, 10].map((seconds) => ({
      name: 'http_service:request_latency_histogram',
      fields: { name: 'nexus', id: ids.siloId, operation_id: 'ping', status_code: 200 },
      timestamp: at(seconds),
      startTime: at(0),
      datum: {
        bins: [0, 1000, 2000],
        counts: [0, seconds, 1],
        min: 1200,
        max: 2500,
        sumOfSamples: 1500 * seconds + 2500,
        squaredMean: 0,
      },
    })),
  ])
})
afterAll(() => server.close())

const ask = (caller: Caller, query: string, project = ids.mine) =>
  caller.call('timeseries_query', { query: { project }, body: { query } })
const refusal = (caller: Caller, query: string, project = ids.mine) =>
  caller.refused('POST', `/v1/timeseries/query?project=${project}`, { body: { query } })
const askFleet = (query: string) =>
  server.admin.call('system_timeseries_query', { body: { query } })

type Result = Awaited<ReturnType<typeof ask>>
/** The projects in an answer. */
const projectsIn = ({ tables }: Result) =>
  new Set(
    tables.flatMap(({ timeseries }) => timeseries.map(({ fields }) => fields.project_id?.value)),
  )

test('a query answers with the series of the project, as deltas with their times', async () => {
  const { tables } = await ask(member, 'get virtual_machine:vcpu_usage')
  expect(tables).toHaveLength(1)
  const { name, timeseries } = tables[0]!
  expect(name).toBe('virtual_machine:vcpu_usage')
  expect(timeseries).toHaveLength(1)
  expect(timeseries[0]!.fields).toMatchObject({
    instance_id: { type: 'uuid', value: instances.mine },
    state: { type: 'string', value: 'run' },
    vcpu_id: { type: 'u32', value: 0 },
  })
  expect(timeseries[0]!.points).toEqual({
    start_times: [0, 5, 10, 15].map((seconds) => new Date(at(seconds)).toISOString()),
    timestamps: [5, 10, 15, 20].map((seconds) => new Date(at(seconds)).toISOString()),
    values: [{ metric_type: 'delta', values: { type: 'integer', values: [1e9, 1e9, 1e9, 1e9] } }],
  })
})

test('answers the query of a chart', async () => {
  const { tables } = await ask(
    member,
    `get virtual_machine:vcpu_usage | filter timestamp >= ${text(0)} && timestamp < ${text(20)} && instance_id == "${instances.mine}" | align mean_within(10s) | group_by [instance_id], sum`,
  )
  expect(tables[0]!.timeseries[0]!.points).toMatchObject({
    timestamps: [10, 20].map((seconds) => new Date(at(seconds)).toISOString()),
    values: [{ metric_type: 'gauge', values: { type: 'double', values: [1e9, 1e9] } }],
  })
})

test('no query of a member finds series of another project or silo', async () => {
  const theirs = [ids.theirs, ids.foreign, ids.otherSiloId].map((id) => `"${id}"`)
  const get = 'get virtual_machine:vcpu_usage'
  const past = `${get} | filter timestamp <= ${text(20)}`
  const filters = [
    ...theirs.map((id) => `project_id == ${id}`),
    `project_id == ${theirs[0]} || project_id == ${theirs[1]}`,
    `project_id != "${ids.mine}"`,
    `silo_id == ${theirs[2]} || timestamp > @2020-01-01`,
    `(vcpu_id == 0 || vcpu_id == 1) ^ (vcpu_id == 7)`,
    `!(project_id == "${ids.mine}")`,
    `state ~= ".*" || project_id == ${theirs[0]}`,
    `datum > 0 || silo_id != "${ids.siloId}"`,
    `instance_id == "${instances.theirs}" || instance_id == "${instances.foreign}"`,
  ]
  const queries = [
    get,
    ...filters.map((filter) => `${get} | filter ${filter}`),
    ...filters.map((filter) => `${get} | last 3 | filter ${filter}`),
    `{ ${get}; ${get} | filter project_id == ${theirs[0]} }`,
    `{ { ${get} | filter ${filters[3]} }; ${get} } | filter vcpu_id == 0`,
    `{ ${past} | align mean_within(5s); ${past} | align mean_within(5s) } | join`,
    `${past} | align mean_within(5s) | group_by [project_id], sum`,
  ]
  for (const query of queries) {
    const found = projectsIn(await ask(member, query))
    found.delete(ids.mine)
    expect([query, ...found]).toEqual([query])
  }
  // A sum over all projects contains only one.
  const { tables } = await ask(member, `${past} | align mean_within(5s) | group_by [], sum`)
  const [{ points }] = tables[0]!.timeseries as [Result['tables'][0]['timeseries'][0]]
  expect(new Set<unknown>(points.values[0]!.values.values)).toEqual(new Set([1e9]))
})

test('does not find a project of another name, silo or caller', async () => {
  const query = 'get virtual_machine:vcpu_usage'
  for (const project of [ids.theirs, ids.foreign, 'theirs']) {
    expect(await refusal(member, query, project)).toMatchObject({ status: 404 })
  }
  expect(await refusal(server.anonymous, query)).toMatchObject({ status: 401 })
  expect(
    await member.refused('POST', '/v1/system/timeseries/query', { body: { query } }),
  ).toMatchObject({ status: 403 })
})

test('refuses schemas without a project for members, even in groups', async () => {
  const forFleet = timeseriesFacts.filter(
    ({ fields }) => !['project_id', 'silo_id'].every((id) => fields.some((f) => f.name === id)),
  )
  expect(forFleet.length).toBeGreaterThan(100)
  for (const { name } of [forFleet[0]!, forFleet[50]!, forFleet.at(-1)!]) {
    for (const query of [`get ${name}`, `{ get virtual_machine:reset; get ${name} }`]) {
      const { status, message } = await refusal(member, query)
      expect(status).toBe(400)
      expect(message).toMatch(
        /^The filter expression contains identifiers that are not valid for its input timeseries\. Invalid identifiers: \[.*(project|silo)_id/,
      )
    }
  }
})

test('shows operators all projects, and series without one', async () => {
  expect(projectsIn(await askFleet('get virtual_machine:vcpu_usage'))).toEqual(
    new Set([ids.mine, ids.theirs, ids.foreign]),
  )
  expect((await askFleet('get switch_rib:active_routes')).tables[0]!.timeseries[0]).toMatchObject({
    points: {
      start_times: null,
      values: [{ metric_type: 'gauge', values: { type: 'integer', values: [7] } }],
    },
  })
  const { tables } = await askFleet('get http_service:request_latency_histogram | last 1')
  expect(tables[0]!.timeseries[0]!.points.values[0]).toMatchObject({
    metric_type: 'delta',
    values: {
      type: 'integer_distribution',
      values: [{ bins: [0, 1000, 2000], counts: [0, 5, 0] }],
    },
  })
  // A known name without data gives a table without time series.
  expect(await askFleet('get zone:cpu_nsec')).toEqual({
    tables: [{ name: 'zone:cpu_nsec', timeseries: [] }],
  })
})

test('reports faults of a query with position and reason', async () => {
  expect(await refusal(member, 'got virtual_machine:x')).toMatchObject({
    status: 400,
    error_code: 'InvalidRequest',
    message: expect.stringMatching(
      /^Error at 1:1: \.\. got virtual_machine:x \.\.\n *\^\nExpected: /,
    ),
  })
  const refused: [query: string, message: string][] = [
    ['get some_target:metric', 'Timeseries not found for: some_target:metric'],
    [`get virtual_machine:reset${' '.repeat(4096)}`, 'Queries must be <= 4096 characters'],
    [
      'get virtual_machine:reset | align interpolate(1s)',
      'Alignment via interpolation is not yet implemented',
    ],
    ['get virtual_machine:vcpu_usage | join', 'Join operations require more than one table'],
    [
      'get virtual_machine:vcpu_usage | group_by [vcpu_id]',
      'Input tables to a `group_by` must be aligned',
    ],
  ]
  for (const [query, message] of refused) {
    expect(await refusal(member, query)).toMatchObject({
      status: 400,
      error_code: 'InvalidRequest',
      message,
    })
  }
  for (const body of [{}, { query: 7 }, { query: null }]) {
    const { status } = await member.refused('POST', `/v1/timeseries/query?project=${ids.mine}`, {
      body,
    })
    expect(status).toBe(400)
  }
})

test('refuses a query that would read more than a million points', async () => {
  const samples = Array.from({ length: 7_000 }, (_, index): Sample => ({
    name: 'virtual_machine:reset',
    fields: {
      instance_id: instances.mine,
      project_id: ids.mine,
      silo_id: ids.siloId,
      sled_id: ids.siloId,
      sled_model: 'm',
      sled_revision: index % 10,
      sled_serial: 's',
    },
    timestamp: at(Math.floor(index / 10)),
    startTime: at(0),
    datum: 0,
  }))
  await append(samples)
  const get = 'get virtual_machine:reset'
  expect((await ask(member, `${get} | last 1`)).tables[0]!.timeseries).toHaveLength(10)
  const groups = `{${Array.from({ length: 150 }, () => get).join(';')}}`
  expect(await refusal(member, groups)).toMatchObject({
    status: 400,
    message:
      'Query requires fetching more than the current limit of 1000000 data points from the timeseries database',
  })
})

test('leaves no entry in the audit log', async () => {
  const { items } = await server.admin.call('audit_log_list', {
    query: { start_time: new Date(0).toISOString(), limit: 1000 },
  })
  expect(items.filter(({ operation_id }) => operation_id.includes('timeseries'))).toEqual([])
})
