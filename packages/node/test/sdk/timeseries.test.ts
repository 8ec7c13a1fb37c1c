/** Time series queries of the published client, with and without a working store. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startProcess, migratedDirectory } from '../support/process.ts'
import { ok, refusal, signIn, startHost } from './client.ts'

const minute = 60_000
const query = 'get virtual_machine:reset | filter timestamp > @now() - 5m'

test('schemas are listed in pages, and queries are answered @long', async () => {
  const { methods } = await signIn(await startHost())
  const body = { name: 'web', description: '' }
  ok(await methods.projectCreate({ body }))
  const { items } = ok(await methods.systemTimeseriesSchemaList({ query: { limit: 3 } }))
  expect(items).toHaveLength(3)
  const { tables } = ok(
    await methods.timeseriesQuery({ query: { project: 'web' }, body: { query } }),
  )
  expect(tables).toEqual([{ name: 'virtual_machine:reset', timeseries: [] }])
  const wrong = await methods.systemTimeseriesQuery({ body: { query: 'fetch nothing' } })
  expect(refusal(wrong)).toMatchObject({ status: 400, errorCode: 'InvalidRequest' })
})

test('an unavailable store is reported, and queried again when it is back @long', async () => {
  const now = Date.now()
  const fields = { instance_id: crypto.randomUUID() }
  const line = {
    metric: {
      __name__: 'virtual_machine:reset',
      steading_fields: JSON.stringify(fields),
      steading_part: 'value',
      steading_start: String(now - 4 * minute),
    },
    timestamps: [now - 3 * minute, now - 2 * minute],
    values: [1, 3],
  }
  const away: RequestListener = (_request, response) => void response.writeHead(503).end()
  const broken: RequestListener = (_request, response) =>
    void response.write('{"metric":', () => response.destroy())
  const back: RequestListener = (_request, response) =>
    void response.end(`${JSON.stringify(line)}\n`)
  let answer = away
  const store = createServer((request, response) => answer(request, response)).listen(0)
  await once(store, 'listening')
  onTestFinished(() => {
    store.closeAllConnections()
    store.close()
  })
  const { port } = store.address() as AddressInfo
  const metricsUrl = `http://127.0.0.1:${port}`
  const { url } = await startProcess(['--data', migratedDirectory(), '--metrics-url', metricsUrl])
  const { methods } = await signIn(url)
  const ask = () => methods.systemTimeseriesQuery({ body: { query } })
  for (const fault of [away, broken]) {
    answer = fault
    expect(refusal(await ask())).toMatchObject({
      status: 503,
      errorCode: 'ServiceNotAvailable',
    })
  }
  answer = back
  const [table] = ok(await ask()).tables
  expect(table!.timeseries).toHaveLength(1)
  expect(table!.timeseries[0]!.points.values[0]!.values.values).toEqual([1, 2])
})
