/**
 * Both ends of RFB 3.8 (RFC 6143), as small as tests need them: a server with a screen of one colour
 * that keys change, and a client.
 */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

const VERSION = 'RFB 003.008\n'
/** The security type without a password. */
const NONE = 1
/** Types of messages of clients. */
const clientTypes = {
  setPixelFormat: 0,
  setEncodings: 2,
  updateRequest: 3,
  key: 4,
  pointer: 5,
  cutText: 6,
} as const
const PIXEL_BYTES = 4

/** The bytes of a pixel; a pressed key gives the first one its number. */
export const FIRST_COLOUR = [60, 120, 30, 0]

/** 32 bits for each pixel: blue, green and red, as QEMU has it. */
const pixelFormat = Buffer.from([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0])

/** Reads a number of bytes at a time from pieces of any length. */
export class ByteQueue {
  #data = Buffer.alloc(0)
  #wake = () => {}

  push(data: Uint8Array): void {
    this.#data = Buffer.concat([this.#data, data])
    this.#wake()
  }

  async take(length: number): Promise<Buffer> {
    while (this.#data.length < length) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const taken = this.#data.subarray(0, length)
    this.#data = this.#data.subarray(length)
    return taken
  }
}

export const updateRequest = (width: number, height: number): Buffer => {
  const message = Buffer.alloc(10)
  message[0] = clientTypes.updateRequest
  message.writeUInt16BE(width, 6)
  message.writeUInt16BE(height, 8)
  return message
}

/** A key that is pressed. */
export const keyEvent = (keysym: number): Buffer => {
  const message = Buffer.alloc(8)
  message.set([clientTypes.key, 1])
  message.writeUInt32BE(keysym, 4)
  return message
}

export interface RfbServer {
  port: number
  /** The keys that clients have pressed. */
  keys: number[]
  /** Texts that clients have offered. */
  cutTexts: string[]
  /** Connections that are open. */
  clients: () => number
  /** Bytes that all clients were sent, and that were accepted by their connections. */
  sent: () => number
  /** Ends all connections, as a machine does that powers off. */
  hangUp: () => void
  close: () => Promise<void>
}

/** A server with a screen, which it always sends as a whole. */
export async function startRfbServer(
  { width, height }: { width: number; height: number } = { width: 64, height: 48 },
): Promise<RfbServer> {
  const keys: number[] = []
  const cutTexts: string[] = []
  const clients = new Set<Socket>()
  let sent = 0

  const serve = async (socket: Socket): Promise<void> => {
    const input = new ByteQueue()
    socket.on('data', (data) => input.push(data))
    const write = async (data: Buffer) => {
      sent += data.length
      if (!socket.write(data)) await once(socket, 'drain')
    }
    await write(Buffer.from(VERSION))
    await input.take(VERSION.length)
    await write(Buffer.from([1, NONE]))
    await input.take(1)
    await write(Buffer.alloc(4))
    await input.take(1)
    const size = Buffer.alloc(4)
    size.writeUInt16BE(width)
    size.writeUInt16BE(height, 2)
    await write(Buffer.concat([size, pixelFormat, Buffer.from([0, 0, 0, 4]), Buffer.from('mill')]))
    let colour = FIRST_COLOUR
    let asked = false
    const draw = () => {
      asked = false
      // One rectangle in the encoding "raw", which is the number 0.
      const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 0])
      const pixels = Buffer.alloc(width * height * PIXEL_BYTES, Buffer.from(colour))
      return write(Buffer.concat([header, size, Buffer.alloc(4), pixels]))
    }
    for (;;) {
      const [type] = await input.take(1)
      if (type === clientTypes.setPixelFormat) await input.take(19)
      else if (type === clientTypes.setEncodings) {
        await input.take((await input.take(3)).readUInt16BE(1) * 4)
      } else if (type === clientTypes.key) {
        const message = await input.take(7)
        if (message[0] !== 1) continue
        const key = message.readUInt32BE(3)
        keys.push(key)
        colour = [key % 256, 0, 0, 0]
        if (asked) await draw()
      } else if (type === clientTypes.pointer) await input.take(5)
      else if (type === clientTypes.cutText) {
        cutTexts.push((await input.take((await input.take(7)).readUInt32BE(3))).toString('latin1'))
      } else if (type === clientTypes.updateRequest) {
        const [incremental] = await input.take(9)
        // There is nothing new until a key is pressed.
        asked = incremental === 1
        if (!asked) await draw()
      } else return void socket.destroy()
    }
  }

  const server: Server = createServer((socket) => {
    clients.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => clients.delete(socket))
    void serve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const hangUp = () => clients.forEach((socket) => socket.destroy())
  return {
    port: (server.address() as AddressInfo).port,
    keys,
    cutTexts,
    clients: () => clients.size,
    sent: () => sent,
    hangUp,
    async close() {
      hangUp()
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * Goes through the handshake as a client.
 * @returns the size of the screen and its name
 */
export async function shakeHands(
  input: ByteQueue,
  send: (data: Buffer) => void,
): Promise<{ width: number; height: number; name: string }> {
  const version = (await input.take(VERSION.length)).toString()
  if (version !== VERSION) throw new Error(`the server speaks ${version}`)
  send(Buffer.from(VERSION))
  const [count = 0] = await input.take(1)
  const types = await input.take(count)
  if (!types.includes(NONE)) throw new Error('the server asks for a password')
  send(Buffer.from([NONE]))
  const result = (await input.take(4)).readUInt32BE()
  if (result !== 0) throw new Error(`the server refused the client: ${result}`)
  // The screen is shared with other clients.
  send(Buffer.from([1]))
  const init = await input.take(24)
  const name = (await input.take(init.readUInt32BE(20))).toString()
  return { width: init.readUInt16BE(0), height: init.readUInt16BE(2), name }
}
