/** A VictoriaMetrics that is unreachable, returns errors, or aborts. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Sample } from '@steading/oxql'
import { expect, onTestFinished, test } from 'vitest'
import { VictoriaMetricsTimeSeries } from '../src/victoria-metrics/store.ts'
import { temporaryDirectory } from '../../node/test/support/process.ts'
import { startVictoriaMetrics, victoriaMetricsMissing } from './support/victoria-metrics.ts'

const sample = (at: number): Sample => ({
  name: 'a:b',
  fields: { id: 'x' },
  timestamp: Date.now() - 3_600_000 + at,
  datum: at,
})
const selection = { name: 'a:b', where: [] }

function use(url: string, messages: string[] = []) {
  const store = new VictoriaMetricsTimeSeries(url, (message) => void messages.push(message))
  onTestFinished(() => store.close())
  return store
}

/** A server in place of VictoriaMetrics. */
async function answering(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.skipIf(victoriaMetricsMissing())(
  'samples appended during an outage arrive after it',
  async () => {
    const server = await startVictoriaMetrics(temporaryDirectory())
    onTestFinished(() => server.stop())
    const messages: string[] = []
    const store = use(server.url, messages)
    const samples = [1, 2, 3].map(sample)
    await store.append([samples[0]!])
    await server.stop()
    await store.append([samples[1]!])
    const problem = /^VictoriaMetrics cannot be reached: /
    await expect.poll(async () => (await store.status()).problem).toMatch(problem)
    await expect(store.read(selection, 10)).rejects.toMatchObject({
      name: 'TimeSeriesUnavailable',
      message: expect.stringMatching(problem),
    })
    await store.append([samples[2]!])
    await server.start()
    await expect.poll(async () => (await store.status()).problem).toBe(undefined)
    expect(messages).toEqual([
      expect.stringMatching(/^time series cannot be stored: VictoriaMetrics cannot be reached: /),
      'time series are stored again',
    ])
    await store.close()
    await server.flush()
    // Another server finds them there.
    const [found] = await use(server.url).read(selection, 10)
    expect(found!.values).toEqual([1, 2, 3])
  },
)

test('it gets the credentials of the URL, and its errors are reported', async () => {
  const asked: (string | undefined)[] = []
  const address = await answering((request, response) => {
    asked.push(`${request.headers.authorization} ${request.url}`)
    response.writeHead(401).end('who are\nyou?')
  })
  const store = use(`http://user:pass%3Aword@${address}/some/path`)
  await expect(store.read(selection, 1)).rejects.toMatchObject({
    name: 'TimeSeriesUnavailable',
    message: 'VictoriaMetrics answers 401: who are you?',
  })
  const credentials = `Basic ${Buffer.from('user:pass:word').toString('base64')}`
  expect(asked).toEqual([`${credentials} /some/path/api/v1/export`])
  expect((await store.status()).problem).toBe(undefined)
})

test('an aborted or malformed answer is not taken for a complete one', async () => {
  let answer = ''
  const address = await answering((_request, response) => {
    response.writeHead(200)
    response.write(answer, () => response.destroy())
  })
  const store = use(`http://${address}`)
  for (const text of ['{"metric":{}', 'nonsense\n']) {
    answer = text
    await expect(store.read(selection, 1)).rejects.toMatchObject({
      name: 'TimeSeriesUnavailable',
      message: expect.stringMatching(/^VictoriaMetrics aborted its answer: /),
    })
  }
})

test('the queue is limited, and further samples are refused', async () => {
  const address = await answering((_request, response) => {
    response.writeHead(503).end()
  })
  const store = use(`http://${address}`)
  const length = 10_000
  const batch = (from: number) => Array.from({ length }, (_, index) => sample(from + index))
  const fill = async () => {
    for (let from = 0; from < 100 * length; from += length) await store.append(batch(from))
  }
  await expect(fill()).rejects.toMatchObject({
    name: 'TimeSeriesUnavailable',
    message: 'VictoriaMetrics answers 503',
  })
  const { appended, dropped } = await store.status()
  expect(appended - dropped).toBe(500_000)
})
