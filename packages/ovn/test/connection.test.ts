/** A database server may be anything: cut off, silent, endless, or no database at all. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { connect, type Connection, Disconnected, Refused } from '../src/ovsdb/connection.ts'

type Answering = (
  socket: Socket,
  request: { id: number; method: string; params: unknown[] },
) => void

/** A server that gets each request as an object, and a connection to it. */
async function connected(answer: Answering, { answerMs = 600_000 } = {}) {
  const limits = { connectMs: 600_000, answerMs, messageMax: 10_000 }
  const directory = mkdtempSync(join(tmpdir(), 'steading-ovsdb-'))
  const path = join(directory, 'sock')
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.on('data', (bytes) => answer(socket, JSON.parse(String(bytes))))
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  const notifications: unknown[] = []
  const ended = Promise.withResolvers<Disconnected>()
  const connection: Connection = await connect({
    remote: path,
    limits,
    onNotification: (method, params) => notifications.push([method, params]),
    onEnd: ended.resolve,
  })
  onTestFinished(() => {
    connection.close()
    for (const socket of sockets) socket.destroy()
    server.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return { connection, notifications, ended: ended.promise }
}

const reply = (id: number, result: unknown) => JSON.stringify({ id, result, error: null })

test('messages are read however they are cut', async () => {
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(
      texts,
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      async (list, sizes) => {
        const { connection, notifications } = await connected((socket, { id }) => {
          const told = list.map((text) =>
            JSON.stringify({ id: null, method: 'told', params: [text] }),
          )
          const bytes = Buffer.from([...told, reply(id, list)].join(''))
          for (let at = 0; at < bytes.length;) {
            const size = sizes.next().value as number
            socket.write(bytes.subarray(at, at + size))
            at += size
          }
        })
        expect(await connection.call('anything')).toEqual(list)
        expect(notifications).toEqual(list.map((text) => ['told', [text]]))
        connection.close()
      },
    ),
    { numRuns: 20 },
  )
})

test.each<[string, Answering, RegExp, { answerMs: number }?]>([
  [
    'speaks another language',
    (socket) => socket.write('HTTP/1.1 400 Bad Request'),
    /other than JSON/,
  ],
  ['sends without end', (socket) => socket.write(`["${'x'.repeat(20_000)}`), /too long a message/],
  ['is cut off in the middle', (socket) => socket.end('{"id":1,"res'), /has ended/],
  ['is silent', () => {}, /no answer to anything in time/, { answerMs: 1 }],
])('a server that %s ends the connection and its calls', async (_, answer, reason, limits) => {
  const { connection, ended } = await connected(answer, limits)
  const failed = await connection.call('anything').catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(Disconnected)
  expect((failed as Error).message).toMatch(reason)
  expect(await ended).toBe(failed)
  await expect(connection.call('more')).rejects.toBe(failed)
})

test('no server is said at once', async () => {
  await expect(connect({ remote: join(tmpdir(), 'nobody-is-here') })).rejects.toBeInstanceOf(
    Disconnected,
  )
})

test('a refusal names the reason, of a call and of one operation', async () => {
  const { connection } = await connected((socket, { id, method }) => {
    const error = { error: 'constraint violation', details: 'the name is taken' }
    socket.write(
      method === 'transact'
        ? reply(id, [{ count: 1 }, error, null])
        : JSON.stringify({ id, result: null, error: 'unknown method' }),
    )
  })
  await expect(connection.call('dance')).rejects.toThrow(new Refused('unknown method'))
  await expect(connection.transact('db', [])).rejects.toThrow(
    'constraint violation: the name is taken',
  )
})

test('whoever asks whether this end is there gets an answer', async () => {
  const answers: unknown[] = []
  const { connection } = await connected((socket, { id, ...message }) => {
    if (message.method !== undefined) {
      socket.write(JSON.stringify({ id: 'echo', method: 'echo', params: ['there?'] }))
      socket.write(reply(id, 'later'))
    } else answers.push({ id, ...message })
  })
  expect(await connection.call('anything')).toBe('later')
  await expect.poll(() => answers).toEqual([{ id: 'echo', result: ['there?'], error: null }])
})
