/** Downloads as seen by clients. Reports of failures are tested with the API. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer, get as getOverTls } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { makeCertificate } from '../../api/test/support/certificates.ts'
import { ApiError, fail } from '../../control-plane/src/kernel/errors.ts'
import { streamOf } from '../../control-plane/src/kernel/download.ts'
import { type DownloadOutcome, sendDownload } from '../src/downloads.ts'
import type { ServerLog } from '../src/log.ts'

const MiB = 1024 * 1024

/** A body of retained chunks, and whether its source has been cancelled. */
function makeBody(count: number, size: (index: number) => number) {
  const made: Uint8Array[] = []
  let ended = false
  async function* pieces() {
    try {
      for (let index = 0; index < count; index++) {
        const piece = new Uint8Array(size(index)).fill(index)
        made.push(piece)
        yield piece
      }
    } finally {
      ended = true
    }
  }
  return { body: streamOf(pieces()), made, hasEnded: () => ended }
}

const transports = {
  async http(listener: RequestListener) {
    const server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return { server, ask: (port: number) => get({ port, host: '127.0.0.1' }) }
  },
  async https(listener: RequestListener) {
    const { cert, key, own } = await makeCertificate({ names: ['localhost'] })
    const server = createTlsServer({ cert, key }, listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return { server, ask: (port: number) => getOverTls({ port, host: 'localhost', ca: own }) }
  },
}

describe.each(Object.entries(transports))('over %s', (_, listen) => {
  /** Response of a server that sends a download. */
  async function download(body: ReadableStream<Uint8Array>) {
    const log = { problem: vi.fn<ServerLog['problem']>(), info: vi.fn<ServerLog['info']>() }
    const request = new Request('http://localhost/contents')
    let sent: Promise<DownloadOutcome> | undefined
    const { server, ask } = await listen((_incoming, outgoing) => {
      const answer = new Response(body, { headers: { 'x-request-id': 'some-id' } })
      sent = sendDownload(request, answer, outgoing, log)
    })
    onTestFinished(() => void server.close())
    const asked = ask((server.address() as AddressInfo).port)
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return { answer, log, sent: () => sent! }
  }

  test('a slow client gets all bytes, and their memory is freed', async () => {
    // Chunks smaller and larger than the connection's buffer.
    const sizes = [MiB, 10, 64 * 1024, 3 * MiB, 16 * 1024, 64 * 1024 + 1]
    const size = (index: number) => sizes[index % sizes.length]!
    const { body, made } = makeBody(60, size)
    const { answer, sent, log } = await download(body)
    const got = createHash('sha256')
    for await (const piece of answer) {
      got.update(piece)
      await turn()
    }
    expect(await sent()).toBe('complete')
    const expected = createHash('sha256')
    for (const index of made.keys()) expected.update(new Uint8Array(size(index)).fill(index))
    expect(got.digest('hex')).toBe(expected.digest('hex'))
    expect(made.map(({ length }) => length)).toEqual(
      [...made.keys()].map((index) => (size(index) > 64 * 1024 ? 0 : size(index))),
    )
    expect(log.problem).not.toHaveBeenCalled()
    expect(log.info).not.toHaveBeenCalled()
  })

  test('a client that leaves ends it, which is not a failure', async () => {
    const { body, made, hasEnded } = makeBody(1_000, () => MiB)
    const { answer, sent, log } = await download(body)
    answer.destroy()
    expect(await sent()).toBe('cut')
    await vi.waitFor(() => expect(hasEnded()).toBe(true), 30_000)
    expect(made.length).toBeLessThan(100)
    expect(log.problem).not.toHaveBeenCalled()
    expect(log.info).not.toHaveBeenCalled()
  })

  test('reading ends at once if the client leaves while the next chunk is awaited', async () => {
    const cancelled = Promise.withResolvers<void>()
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => controller.enqueue(new Uint8Array(MiB)),
        pull: () => new Promise(() => {}),
        cancel: () => cancelled.resolve(),
      },
      { highWaterMark: 0 },
    )
    const { answer, sent, log } = await download(body)
    answer.destroy()
    await cancelled.promise
    expect(await sent()).toBe('cut')
    expect(log.problem).not.toHaveBeenCalled()
  })

  const ends = [
    { title: 'refused', error: fail.forbidden(), outcome: 'refused' },
    { title: 'ended by an outage', error: fail.unavailable(), outcome: 'failed' },
    { title: 'that fails', error: new Error('the disk broke'), outcome: 'failed' },
  ]
  test.for(ends)('a download $title midway closes the connection', async ({ error, outcome }) => {
    const begun = Promise.withResolvers<void>()
    async function* pieces() {
      yield new Uint8Array(MiB)
      await begun.promise
      throw error
    }
    const { answer, sent, log } = await download(streamOf(pieces()))
    begun.resolve()
    await expect(answer.toArray()).rejects.toThrow('aborted')
    expect(await sent()).toBe(outcome)
    const line = 'GET /contents was cut short (request some-id)'
    if (error instanceof ApiError) {
      expect(log.problem).not.toHaveBeenCalled()
      expect(log.info).toHaveBeenCalledExactlyOnceWith(`${line}: ${error.message}`)
    } else {
      expect(log.info).not.toHaveBeenCalled()
      expect(log.problem).toHaveBeenCalledExactlyOnceWith(line, error)
    }
  })
})
