import { timeseriesFacts } from '@steading/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('the schemas of all time series are listed by name, page by page', async () => {
  const names: string[] = []
  let query: { limit: number; page_token?: string } = { limit: 100 }
  for (;;) {
    const page = await server.admin.call('system_timeseries_schema_list', { query })
    names.push(...page.items.map((item) => item.timeseries_name))
    if (page.items.length < query.limit) break
    query = { limit: 100, page_token: page.next_page! }
  }
  expect(names).toEqual(timeseriesFacts.map(({ name }) => name))
  const { items } = await server.admin.call('system_timeseries_schema_list', {
    query: { limit: 1 },
  })
  expect(items[0]).toMatchObject({
    timeseries_name: 'bfd_session:control_packet_send_failures',
    datum_type: 'cumulative_u64',
    units: 'count',
    authz_scope: 'fleet',
    version: 1,
    field_schema: ['hostname', 'peer', 'rack_id', 'sled_id'].map((name) => ({
      name,
      source: 'target',
    })),
  })
})
