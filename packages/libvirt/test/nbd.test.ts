/** Disks whose NBD server keeps silent or hangs up. */
import { randomBytes, scrypt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LateNbdError, loadNbd, NbdConnection, NbdConnectionError } from '../src/native/nbd.ts'

const missing = await loadNbd().then(
  () => false,
  () => true,
)

/** The start of the older handshake, which the client does not answer: a disk of a mebibyte. */
function greeting(): Buffer {
  const bytes = Buffer.alloc(152)
  bytes.write('NBDMAGIC', 0, 'latin1')
  bytes.writeBigUInt64BE(0x00420281861253n, 8)
  bytes.writeBigUInt64BE(1024n * 1024n, 16)
  // It has flags, and takes durable writes.
  bytes.writeUInt16BE(0b1001, 26)
  return bytes
}

/**
 * A server that sends some bytes and then keeps silent.
 * @param then done with each connection afterwards
 */
async function startServer(bytes: Uint8Array, then: (socket: Socket) => void = () => {}) {
  const folder = await mkdtemp(join(tmpdir(), 'steading-nbd-'))
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.write(bytes)
    socket.resume()
    then(socket)
  })
  const path = join(folder, 'socket')
  await once(server.listen(path), 'listening')
  const hangUp = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(async () => {
    hangUp()
    server.close()
    await rm(folder, { recursive: true, force: true })
  })
  return { path, hangUp }
}

const unhurried = { connect: 600_000, answer: 600_000 }
const atOnce = { connect: 1, answer: 1 }

/** Work on the threads that disks use as well. */
async function otherWork(): Promise<void> {
  const hashes = Array.from({ length: 4 }, () => promisify(scrypt)('password', randomBytes(16), 32))
  await Promise.all([...hashes, readFile(import.meta.filename)])
}

describe.skipIf(missing)('NBD servers that fail', () => {
  test('connections without an answer hold up neither hashes of passwords nor files', async () => {
    const { path, hangUp } = await startServer(Buffer.alloc(0))
    const connecting = Array.from({ length: 8 }, () =>
      NbdConnection.connect(path, unhurried).catch((error: unknown) => error),
    )
    await otherWork()
    hangUp()
    for (const error of await Promise.all(connecting)) {
      expect(error).toBeInstanceOf(NbdConnectionError)
    }
  })

  test('commands without an answer hold up neither hashes of passwords nor files', async () => {
    const { path, hangUp } = await startServer(greeting())
    const connections = await Promise.all(
      Array.from({ length: 8 }, () => NbdConnection.connect(path, unhurried)),
    )
    const reading = connections.map((connection) =>
      connection.read(0, 512).catch((error: unknown) => error),
    )
    await otherWork()
    hangUp()
    for (const error of await Promise.all(reading)) {
      expect(error).toBeInstanceOf(NbdConnectionError)
    }
    await Promise.all(connections.map((connection) => connection.close()))
  })

  test('a connection or a command that is not answered in time fails with that reason', async () => {
    const silent = await startServer(Buffer.alloc(0))
    await expect(NbdConnection.connect(silent.path, atOnce)).rejects.toThrow(LateNbdError)
    const { path } = await startServer(greeting())
    const connection = await NbdConnection.connect(path, { ...unhurried, answer: 1 })
    expect(connection.size).toBe(1024 * 1024)
    const calls = [connection.write(0, new Uint8Array(512)), connection.read(0, 512)]
    for (const call of calls) await expect(call).rejects.toThrow(LateNbdError)
    expect(connection.isLost).toBe(true)
    await expect(connection.read(0, 512)).rejects.toThrow(NbdConnectionError)
    await connection.close()
  })

  test.each([
    ['before', 0],
    ['during', 20],
  ])('a server that hangs up %s the handshake fails the connection', async (_, length) => {
    const { path } = await startServer(greeting().subarray(0, length), (socket) => socket.end())
    const failure = await NbdConnection.connect(path, unhurried).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(NbdConnectionError)
    expect(failure).not.toBeInstanceOf(LateNbdError)
  })

  test('a server that hangs up fails the commands in flight and all later ones', async () => {
    const { path } = await startServer(greeting(), (socket) =>
      socket.once('data', () => socket.destroy()),
    )
    const connection = await NbdConnection.connect(path, unhurried)
    const calls = [
      ...Array.from({ length: 20 }, () => connection.read(0, 512)),
      connection.write(0, new Uint8Array(512)),
    ]
    for (const outcome of await Promise.allSettled(calls)) {
      const { reason } = outcome as PromiseRejectedResult
      expect(reason).toBeInstanceOf(NbdConnectionError)
      expect(reason).not.toBeInstanceOf(LateNbdError)
    }
    expect(connection.isLost).toBe(true)
    await expect(connection.read(0, 512)).rejects.toThrow(NbdConnectionError)
    await connection.close()
  })
})
