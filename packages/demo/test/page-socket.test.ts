import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parsePosition, takenFrame } from '@steading/api/rules'
import type { ControlPlane } from '@steading/control-plane'
import { openPage, startDemo } from './support/page.ts'

let controlPlane: ControlPlane
beforeAll(async () => void (controlPlane = await startDemo()))
afterAll(() => controlPlane.stop())

const path = (instance: string, project = 'storefront') =>
  `/v1/instances/${instance}/serial-console/stream?project=${project}`

const next = <T extends Event>(socket: WebSocket, type: string): Promise<T> =>
  new Promise((resolve) => {
    socket.addEventListener(type, (event) => resolve(event as unknown as T), { once: true })
  })

/** Reads until the text has been seen. */
function until(socket: WebSocket, text: string): Promise<string> {
  let seen = ''
  return new Promise((resolve) => {
    socket.addEventListener('message', (event) => {
      seen += new TextDecoder().decode(event.data as ArrayBuffer)
      if (seen.includes(text)) resolve(seen)
    })
  })
}

async function open(url: string, visitor?: string): Promise<WebSocket> {
  const { WebSocket } = await openPage(controlPlane, { visitor })
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  return socket
}

describe('WebSocket of the page', () => {
  it('shows the console of an instance and echoes typed text', async () => {
    const socket = await open(path('web-1'))
    expect(socket.readyState).toBe(WebSocket.CONNECTING)
    expect(socket.url).toMatch(/^ws:\/\/demo\.test\/v1\//)
    const booted = until(socket, 'web-1:~# ')
    await next(socket, 'open')
    expect(socket.readyState).toBe(WebSocket.OPEN)
    expect(await booted).toContain('Booting from disk web-1-boot')

    const echoed = until(socket, 'load average: 0.00, 0.00, 0.00\r\nweb-1:~# ')
    const bytes = new TextEncoder().encode('uptime\r')
    socket.send(bytes)
    bytes.fill(0)
    expect(socket.bufferedAmount).toBe(7)
    await echoed
    expect(socket.bufferedAmount).toBe(0)

    socket.close(1000, 'enough')
    expect(socket.readyState).toBe(WebSocket.CLOSING)
    const closed = await next<CloseEvent>(socket, 'close')
    expect(closed).toMatchObject({ code: 1000, reason: 'enough', wasClean: true })
    expect(socket.readyState).toBe(WebSocket.CLOSED)
  })

  it('transfers text in both directions, where it is supported', async () => {
    const socket = await open(path('web-1').replace('/v1/', '/x/v1/'))
    const place = parsePosition((await next<MessageEvent<string>>(socket, 'message')).data)
    expect(place?.boot).toBeTruthy()
    socket.send('nothing that is understood')
    const counted = until(socket, '\r\n40000\r\nweb-1:~# ')
    let bytes = 0
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
      bytes += data.byteLength
      socket.send(takenFrame(bytes))
    })
    socket.send(new TextEncoder().encode('seq 40000\r'))
    await counted
    socket.close()
  })

  it('receives blobs by default, and sends them', async () => {
    const { WebSocket } = await openPage(controlPlane)
    const socket = new WebSocket(path('web-2'))
    const { data } = await next<MessageEvent<unknown>>(socket, 'message')
    expect(data).toBeInstanceOf(Blob)
    socket.binaryType = 'arraybuffer'
    const echoed = until(socket, 'ls')
    socket.send(new Blob(['ls']))
    await echoed
    socket.close()
    expect(await next<CloseEvent>(socket, 'close')).toMatchObject({ code: 1005, wasClean: true })
  })

  it.each([
    ['a stopped instance', path('staging-web'), undefined],
    ['an instance that is not there', path('web-99'), undefined],
    ['a visitor who is not signed in', path('web-1'), ''],
    ['a route that is none', '/v1/nowhere', undefined],
  ])('does not open for %s', async (_, url, visitor) => {
    const socket = await open(url, visitor)
    const failed = next(socket, 'error')
    let heard: CloseEvent | undefined
    Object.assign(socket, { onclose: (event: CloseEvent) => void (heard = event) })
    const closed = await next<CloseEvent>(socket, 'close')
    await failed
    expect(closed).toMatchObject({ code: 1006, wasClean: false })
    expect(heard).toBe(closed)
    expect(socket.readyState).toBe(WebSocket.CLOSED)
  })

  it('may be closed before it is open', async () => {
    const socket = await open(path('web-1'))
    expect(() => socket.send('too early')).toThrow(
      expect.objectContaining({ name: 'InvalidStateError' }),
    )
    expect(() => socket.close(1006)).toThrow(
      expect.objectContaining({ name: 'InvalidAccessError' }),
    )
    expect(() => socket.close(1000, 'x'.repeat(124))).toThrow(
      expect.objectContaining({ name: 'SyntaxError' }),
    )
    socket.close()
    expect(await next<CloseEvent>(socket, 'close')).toMatchObject({ code: 1006 })
  })

  it('is closed from the other end when the instance stops', async () => {
    const { fetch, WebSocket } = await openPage(controlPlane)
    const socket = new WebSocket(path('api-1'))
    await next(socket, 'open')
    const closed = next<CloseEvent>(socket, 'close')
    await fetch('/v1/instances/api-1/stop?project=storefront', { method: 'POST' })
    expect(await closed).toMatchObject({ code: 1000, wasClean: true })
  })

  it('leaves other sites to the network', async () => {
    const { WebSocket, sent } = await openPage(controlPlane)
    void new WebSocket('wss://example.com/v1/x')
    void new WebSocket('ws://demo.test/elsewhere')
    expect(sent).toEqual(['wss://example.com/v1/x', 'ws://demo.test/elsewhere'])
  })
})
