import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConsoleConnection } from '../src/serial-console/connection.ts'

class FakeSocket extends EventTarget {
  static all: FakeSocket[] = []
  sent: unknown[] = []
  closedWith: number | undefined
  url: string
  constructor(url: string) {
    super()
    this.url = url
    FakeSocket.all.push(this)
  }
  send = (data: unknown) => void this.sent.push(data)
  close = (code?: number) => void (this.closedWith = code)
  open = () => void this.dispatchEvent(new Event('open'))
  message = (text: string) =>
    void this.dispatchEvent(
      new MessageEvent('message', { data: new TextEncoder().encode(text).buffer }),
    )
  lose = (reason = '') =>
    void this.dispatchEvent(Object.assign(new Event('close'), { code: 1006, reason }))
}

const last = () => FakeSocket.all.at(-1)!
const sink = () => {
  const seen: string[] = []
  return {
    seen,
    write: (data: Uint8Array | string) =>
      void seen.push(typeof data === 'string' ? data : new TextDecoder().decode(data)),
    reset: () => void seen.splice(0),
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  FakeSocket.all = []
  vi.stubGlobal('WebSocket', FakeSocket)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('opens when it is wanted, and shows what came before anybody looked', () => {
  const connection = new ConsoleConnection('ws://x')
  expect(FakeSocket.all).toHaveLength(0)
  connection.want(true)
  expect(connection.snapshot().status).toBe('connecting')
  last().open()
  last().message('boot')
  const terminal = sink()
  connection.attach(terminal)
  last().message(' log')
  expect(terminal.seen).toEqual(['boot', ' log'])
  connection.send(new Uint8Array([1]))
  expect(last().sent).toEqual([new Uint8Array([1])])
})

test('comes back by itself, waiting longer each time, and starts the screen over', () => {
  const lost = vi.fn<() => void>()
  const connection = new ConsoleConnection('ws://x', lost)
  connection.want(true)
  last().open()
  const terminal = sink()
  connection.attach(terminal)
  last().message('before')
  last().lose('proxy went away')
  expect(lost).toHaveBeenCalledOnce()
  expect(connection.snapshot()).toMatchObject({ status: 'waiting', reason: 'proxy went away' })
  expect(terminal.seen).toEqual(['before'])
  vi.advanceTimersByTime(1000)
  expect(FakeSocket.all).toHaveLength(2)
  last().lose()
  vi.advanceTimersByTime(1999)
  expect(FakeSocket.all).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect(FakeSocket.all).toHaveLength(3)
  last().open()
  last().message('after')
  expect(terminal.seen).toEqual(['after'])
})

test('a connection that never got through is left to the person', () => {
  const connection = new ConsoleConnection('ws://x')
  connection.want(true)
  last().lose()
  expect(connection.snapshot().status).toBe('failed')
  vi.advanceTimersByTime(120_000)
  expect(FakeSocket.all).toHaveLength(1)
  connection.retry()
  expect(connection.snapshot().status).toBe('connecting')
})

test('an instance that stops keeps its console until the other side closes it', () => {
  const connection = new ConsoleConnection('ws://x')
  connection.want(true)
  last().open()
  connection.want(false)
  expect(connection.snapshot().status).toBe('open')
  last().lose()
  expect(connection.snapshot()).toEqual({ status: 'closed', hasOpened: false })
  vi.advanceTimersByTime(120_000)
  expect(FakeSocket.all).toHaveLength(1)
  connection.want(true)
  expect(FakeSocket.all).toHaveLength(2)
})

test('leaving closes the socket, and nothing it says later is heard', () => {
  const connection = new ConsoleConnection('ws://x')
  connection.want(true)
  const socket = last()
  connection.disconnect()
  expect(socket.closedWith).toBe(1000)
  socket.open()
  expect(connection.snapshot().status).toBe('closed')
})
