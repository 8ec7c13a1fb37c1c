/** Malformed and unusual requests on every port. */
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import {
  metricsUrlOf,
  migratedDirectory,
  signIn,
  startProcess,
  WITH_METRICS,
} from './support/process.ts'

const upgrade =
  'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA=='

/** The bytes of requests without the empty line at their end. */
const requests = [
  'GET /metrics HTTP/1.0',
  'GET / HTTP/1.0',
  'GET /x/v1/health HTTP/1.0',
  'GET /v1/me HTTP/1.0',
  'POST /v1/login/main/local HTTP/1.0\r\ncontent-length: 0',
  'GET /metrics HTTP/1.1',
  'GET /metrics HTTP/1.1\r\nhost:',
  'GET / HTTP/1.1\r\nhost: ',
  'GET / HTTP/1.1\r\nhost: a b',
  'GET /metrics HTTP/1.1\r\nhost: a b',
  'GET / HTTP/1.1\r\nhost: [',
  'GET / HTTP/1.1\r\nhost: a/b',
  'GET / HTTP/1.1\r\nhost: u@b',
  'GET / HTTP/1.1\r\nhost: a:99999',
  'GET / HTTP/1.1\r\nhost: a\r\nhost: b',
  'GET http://other.example/metrics HTTP/1.1\r\nhost: a',
  'GET http:// HTTP/1.1\r\nhost: a',
  'GET https://[ HTTP/1.1\r\nhost: a',
  'GET file:///etc/passwd HTTP/1.1\r\nhost: a',
  'GET //metrics HTTP/1.1\r\nhost: a',
  'GET //[/ HTTP/1.1\r\nhost: a',
  'GET /% HTTP/1.1\r\nhost: a',
  'GET /v1/projects/% HTTP/1.1\r\nhost: a',
  'GET /v1/projects/%ff HTTP/1.1\r\nhost: a',
  'GET /docs/% HTTP/1.1\r\nhost: a',
  'GET /assets/%00 HTTP/1.1\r\nhost: a',
  'GET /\u00ff HTTP/1.1\r\nhost: a',
  'GET metrics HTTP/1.1\r\nhost: a',
  'GET ?x HTTP/1.1\r\nhost: a',
  'OPTIONS * HTTP/1.1\r\nhost: a',
  'OPTIONS * HTTP/1.0',
  'CONNECT a:1 HTTP/1.1\r\nhost: a',
  'TRACE / HTTP/1.1\r\nhost: a',
  'TRACE /v1/me HTTP/1.1\r\nhost: a',
  'PRI * HTTP/2.0\r\n\r\nSM',
  'GET / HTTP/9.9\r\nhost: a',
  'GET / HTTP/1.1\r\nhost: a\r\nexpect: nonsense',
  'POST /metrics HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 0',
  'GET / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: nonsense',
  'GET /metrics HTTP/1.1\r\nhost: a\r\ncontent-length: -1',
  `GET /metrics HTTP/1.1\r\nhost: a\r\n${upgrade}`,
  `GET /v1/instances/x/serial-console/stream HTTP/1.0\r\n${upgrade}`,
  `GET //[ HTTP/1.1\r\nhost: a b\r\n${upgrade}`,
  `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}`,
  'nonsense',
]

/** The status of the answer of a port, if there is one. */
async function answer(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  const status = new Promise<string>((resolve) => {
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk
      const found = /^HTTP\/1\.1 ([2-5]\d\d) /m.exec(text)?.[1]
      if (found) resolve(found)
    })
    // Node ends some without an answer, such as CONNECT.
    socket.on('error', () => {}).on('close', () => resolve('no answer'))
  })
  socket.write(Buffer.from(`${request}\r\n\r\n`, 'latin1'))
  return status.finally(() => socket.destroy())
}

test('no malformed request causes an internal error or a stack in the log, on any port', async () => {
  const server = await startProcess(['--data', migratedDirectory(), ...WITH_METRICS])
  const [plain, metrics] = [server.url, metricsUrlOf(server)].map((url) =>
    Number(new URL(url).port),
  )
  await signIn(server.url)
  const found: Record<string, string[]> = { plain: [], metrics: [] }
  for (const request of requests) {
    for (const [name, port] of Object.entries({ plain: plain!, metrics: metrics! })) {
      found[name]!.push(`${await answer(port, request)} ${request.slice(0, 70)}`)
    }
  }
  const isWrong = (line: string) => !/^(?:[234]\d\d|no answer) /.test(line)
  expect(found.plain!.filter(isWrong)).toEqual([])
  expect(found.metrics!.filter(isWrong)).toEqual([])
  expect(found.metrics).toContain('200 GET /metrics HTTP/1.0')
  const { code, stderr } = await server.end('SIGTERM')
  expect([code, stderr]).toEqual([0, ''])
})
