/** The screen of a real guest: QEMU's VNC server is the peer, and draws the pictures. */
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DisplayUnavailable } from '@steading/control-plane/ports'
import { ByteQueue, shakeHands, updateRequest } from '../../../control-plane/test/support/rfb.ts'
import { until } from '../../../control-plane/test/support/things.ts'
import { openTestHost, runGuest, type TestHost, type TestServer } from '../support/engine.ts'

let host: TestHost
let server: TestServer
let id: string

beforeAll(async () => {
  host = await openTestHost()
  server = await host.start()
  id = (await runGuest(server)).id
})
afterAll(async () => {
  await server?.close()
  await host?.remove()
})

/** A client that has gone through the handshake. */
async function watch() {
  const { readable, writable } = await server.engines.displays.open(id)
  const input = new ByteQueue()
  const writer = writable.getWriter()
  const reader = readable.getReader()
  const ended = (async () => {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      input.push(value)
    }
  })()
  const send = (data: Buffer) => void writer.write(data)
  return { input, send, ended, leave: () => reader.cancel(), found: await shakeHands(input, send) }
}

test('the guest shows its screen to several viewers', async () => {
  const viewers = [await watch(), await watch()]
  for (const { input, send, found } of viewers) {
    expect(found.name).toContain('QEMU')
    send(updateRequest(found.width, found.height))
    const [type, , , rectangles] = await input.take(4)
    expect(type).toBe(0)
    expect(rectangles).toBeGreaterThan(0)
  }
  for (const { leave, ended } of viewers) {
    await leave()
    await ended
  }
})

/** The pixels of a PNG without filters, as text for each. */
function coloursOf(png: Buffer): Set<string> {
  const width = png.readUInt32BE(16)
  const data = png.indexOf('IDAT')
  const rows = inflateSync(png.subarray(data + 4, data + 4 + png.readUInt32BE(data - 4)))
  const colours = new Set<string>()
  for (let row = 0; row < rows.length; row += 1 + width * 3) {
    for (let at = row + 1; at <= row + width * 3; at += 3) {
      colours.add(rows.toString('hex', at, at + 3))
    }
  }
  return colours
}

test('a picture has the colours of the text that the firmware writes', async () => {
  await until(
    async () => Buffer.from(await server.engines.displays.screenshot(id)),
    (png) => expect(coloursOf(png).size).toBeGreaterThan(1),
  )
})

test('the screen ends with the machine', async () => {
  const { ended } = await watch()
  await server.engines.machines.halt(id, 2)
  await ended
  await expect(server.engines.displays.open(id)).rejects.toThrow(DisplayUnavailable)
  await expect(server.engines.displays.screenshot(id)).rejects.toThrow('the machine is not running')
  await server.engines.machines.destroy(id, 3)
  await expect(server.engines.displays.open(id)).rejects.toThrow(DisplayUnavailable)
  expect(server.log.mock.calls).toEqual([])
})
