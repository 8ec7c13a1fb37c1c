import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  CONSOLE_WINDOW,
  type ConsolePlace,
  INPUT_MAX,
  parseTaken,
  positionFrame,
} from '@steading/api/rules'
import { ConsoleConnection, type KeptLog } from '../src/compute/serial-console/connection.ts'

class FakeSocket extends EventTarget {
  static all: FakeSocket[] = []
  sent: unknown[] = []
  bufferedAmount = 0
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
  tell = (data: string) => void this.dispatchEvent(new MessageEvent('message', { data }))
  message = (text: string) =>
    void this.dispatchEvent(
      new MessageEvent('message', { data: new TextEncoder().encode(text).buffer }),
    )
  lose = (reason = '') =>
    void this.dispatchEvent(Object.assign(new Event('close'), { code: 1006, reason }))
}

const last = () => FakeSocket.all.at(-1)!
const textOf = (data: Uint8Array | string) =>
  typeof data === 'string' ? data : new TextDecoder().decode(data)

/** A terminal that shows its input at once, unless it is `busy`. */
const sink = ({ busy = false } = {}) => {
  const seen: string[] = []
  const waiting: (() => void)[] = []
  return {
    seen,
    waiting,
    write(data: Uint8Array | string, done: () => void) {
      seen.push(textOf(data))
      if (busy) waiting.push(done)
      else done()
    },
    reset: () => void seen.splice(0),
  }
}

const plain = { url: () => 'ws://x', follows: false }
const following = {
  url: (place?: ConsolePlace) => `ws://x?${place ? `${place.boot}+${place.offset}` : 'newest'}`,
  follows: true,
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

test('opens on demand, and shows output from before a terminal was attached', () => {
  const connection = new ConsoleConnection(plain)
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

test('reconnects after growing delays, and resets the screen', () => {
  const lost = vi.fn<() => void>()
  const connection = new ConsoleConnection({ ...plain, onLost: lost })
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

test('a connection that never succeeded waits for the user', () => {
  const connection = new ConsoleConnection(plain)
  connection.want(true)
  last().lose()
  expect(connection.snapshot().status).toBe('failed')
  vi.advanceTimersByTime(120_000)
  expect(FakeSocket.all).toHaveLength(1)
  connection.retry()
  expect(connection.snapshot().status).toBe('connecting')
})

test('a stopped instance keeps its console and its output', () => {
  const connection = new ConsoleConnection(plain)
  connection.want(true)
  last().open()
  const terminal = sink()
  connection.attach(terminal)
  last().message('the last words')
  connection.want(false)
  expect(connection.snapshot().status).toBe('open')
  last().lose()
  expect(connection.snapshot()).toEqual({ status: 'closed', hasOutput: true })
  expect(terminal.seen).toEqual(['the last words'])
  vi.advanceTimersByTime(120_000)
  expect(FakeSocket.all).toHaveLength(1)
  connection.want(true)
  expect(FakeSocket.all).toHaveLength(2)
  last().open()
  last().message('again')
  expect(terminal.seen.join('')).toMatch(/^the last words[^]*New boot[^]*\r\nagain$/)
})

describe('with a control plane that keeps the log', () => {
  const log = (boot: string, offset: number, text: string): KeptLog => ({
    place: { boot, offset },
    data: new TextEncoder().encode(text),
  })
  /** A connection whose log is read on the test's command. */
  function keeping() {
    const reads: { from: unknown; found: (log?: KeptLog) => void; fail: () => void }[] = []
    const connection = new ConsoleConnection({
      ...following,
      readLog: (from) =>
        new Promise((resolve, reject) => {
          // The position advances.
          reads.push({
            from: structuredClone(from),
            found: resolve,
            fail: () => reject(new Error('no way')),
          })
        }),
    })
    const terminal = sink()
    connection.attach(terminal)
    return { connection, terminal, reads }
  }

  test('a stopped instance shows its log, and continues once started', async () => {
    const { connection, terminal, reads } = keeping()
    connection.want(false)
    expect(connection.snapshot()).toEqual({ status: 'reading', hasOutput: false })
    expect(reads[0]!.from).toBe('newest')
    reads[0]!.found(log('a', 7, 'panic'))
    await vi.waitFor(() => expect(connection.snapshot().status).toBe('closed'), 30_000)
    expect(connection.snapshot().hasOutput).toBe(true)
    expect(FakeSocket.all).toEqual([])
    connection.want(true)
    expect(last().url).toBe('ws://x?a+12')
    last().open()
    last().tell(positionFrame({ boot: 'b', offset: 0 }))
    last().message('boot')
    expect(terminal.seen.join('')).toMatch(/^panic[^]*New boot[^]*\r\nboot$/)
  })

  test('reads only the missing output after the end', async () => {
    const { connection, terminal, reads } = keeping()
    connection.want(true)
    last().open()
    last().tell(positionFrame({ boot: 'a', offset: 100 }))
    last().message('12345')
    last().lose('a wire was cut')
    expect(connection.snapshot().status).toBe('waiting')
    connection.want(false)
    expect(reads[0]!.from).toEqual({ boot: 'a', offset: 105 })
    reads[0]!.found(log('a', 105, '67'))
    await vi.waitFor(() => expect(connection.snapshot().status).toBe('closed'), 30_000)
    expect(terminal.seen).toEqual(['12345', '67'])
    vi.advanceTimersByTime(120_000)
    expect(FakeSocket.all).toHaveLength(1)
  })

  test('a missing log leaves no output', async () => {
    const { connection, reads } = keeping()
    connection.want(false)
    reads[0]!.found()
    await vi.waitFor(
      () => expect(connection.snapshot()).toEqual({ status: 'closed', hasOutput: false }),
      30_000,
    )
  })

  test('a failed read of the log is retried on request', async () => {
    const { connection, reads } = keeping()
    connection.want(false)
    reads[0]!.fail()
    await vi.waitFor(() => expect(connection.snapshot().status).toBe('failed'), 30_000)
    expect(connection.snapshot().reason).toBe('no way')
    connection.retry()
    reads[1]!.found(log('a', 0, 'log'))
    await vi.waitFor(() => expect(connection.snapshot().hasOutput).toBe(true), 30_000)
  })

  test('an answer after the start is ignored', async () => {
    const { connection, terminal, reads } = keeping()
    connection.want(false)
    connection.want(true)
    last().open()
    last().tell(positionFrame({ boot: 'b', offset: 0 }))
    reads[0]!.found(log('a', 0, 'old'))
    await Promise.resolve()
    last().message('new')
    expect(terminal.seen).toEqual(['new'])
    expect(connection.snapshot().status).toBe('open')
  })

  test('the whole log has earlier boots as shown, and all stored output of the last', async () => {
    const { connection, reads } = keeping()
    connection.want(true)
    last().open()
    last().tell(positionFrame({ boot: 'a', offset: 0 }))
    last().message('first')
    last().tell(positionFrame({ boot: 'b', offset: 0 }))
    last().message('ond')
    const whole = async () => {
      const parts = connection.wholeLog()
      reads.at(-1)!.found(log('b', 0, 'second'))
      return (await parts).map(textOf).join('')
    }
    expect(await whole()).toMatch(/^first─+ New boot[^]*\r\nsecond$/)
    // Without a stored log, it is the shown output.
    const shown = await connection.wholeLog(async () => undefined)
    expect(shown.map(textOf).join('')).toMatch(/^first[^]*\r\nond$/)
  })
})

test('leaving closes the socket and ignores its later events', () => {
  const connection = new ConsoleConnection(plain)
  connection.want(true)
  const socket = last()
  connection.disconnect()
  expect(socket.closedWith).toBe(1000)
  socket.open()
  expect(connection.snapshot().status).toBe('closed')
})

test('resumes at the point of the loss, without duplicates', () => {
  const connection = new ConsoleConnection(following)
  connection.want(true)
  expect(last().url).toBe('ws://x?newest')
  const terminal = sink()
  connection.attach(terminal)
  last().open()
  last().tell(positionFrame({ boot: 'a', offset: 100 }))
  last().message('12345')
  last().lose()
  vi.advanceTimersByTime(1000)
  expect(last().url).toBe('ws://x?a+105')
  last().open()
  last().tell(positionFrame({ boot: 'a', offset: 105 }))
  last().message('67')
  expect(terminal.seen).toEqual(['12345', '67'])
})

test('reports missing output, and keeps the output of the previous boot', () => {
  const connection = new ConsoleConnection(following)
  connection.want(true)
  const terminal = sink()
  connection.attach(terminal)
  last().open()
  last().tell(positionFrame({ boot: 'a', offset: 0 }))
  last().message('first')
  last().tell(positionFrame({ boot: 'a', offset: 1239 }))
  last().message('second')
  last().tell(positionFrame({ boot: 'b', offset: 0 }))
  last().message('third')
  const seen = terminal.seen.join('')
  expect(seen).toMatch(
    /^first[^]*\[1,234 bytes of output are not shown here\]\r\nsecond[^]*\nthird$/,
  )
})

test('reports the shown bytes, not the received ones', () => {
  const connection = new ConsoleConnection(following)
  connection.want(true)
  const terminal = sink({ busy: true })
  connection.attach(terminal)
  last().open()
  last().tell(positionFrame({ boot: 'a', offset: 0 }))
  last().message('x'.repeat(CONSOLE_WINDOW))
  const told = () => last().sent.map((said) => parseTaken(said as string)!)
  expect(told()).toEqual([])
  // The terminal gets only a part, and more once it has shown that part.
  expect(terminal.seen.join('').length).toBeLessThan(CONSOLE_WINDOW)
  while (terminal.waiting.length > 0) terminal.waiting.shift()!()
  expect(terminal.seen.join('')).toHaveLength(CONSOLE_WINDOW)
  expect(told().at(-1)).toBe(CONSOLE_WINDOW)
  expect(told()).toEqual(told().toSorted((a, b) => a - b))
})

test('output that does not fit is dropped, and the terminal says so', () => {
  const connection = new ConsoleConnection(plain)
  connection.want(true)
  last().open()
  const line = `${'x'.repeat(1023)}\n`
  for (let mib = 0; mib < 20; mib++) last().message(line.repeat(1024))
  last().message('the end')
  const terminal = sink()
  connection.attach(terminal)
  const seen = terminal.seen.join('')
  const missing = Number(/\[([\d,]+) bytes of output/.exec(seen)![1]!.replaceAll(',', ''))
  const shown = seen.slice(seen.indexOf('here]\r\n') + 7)
  expect(missing + shown.length).toBe(20 * 1024 * 1024 + 'the end'.length)
  expect(shown.length).toBeGreaterThan(3 * 1024 * 1024)
  expect(shown.startsWith(line)).toBe(true)
  expect(shown.endsWith('the end')).toBe(true)
})

test('pasted text is split into frames of an acceptable size', () => {
  const connection = new ConsoleConnection(plain)
  connection.want(true)
  last().open()
  connection.send(new Uint8Array(3 * 1024 * 1024).fill(7))
  const frames = last().sent as Uint8Array[]
  expect(Math.max(...frames.map(({ length }) => length))).toBeLessThanOrEqual(1024 * 1024)
  expect(frames.reduce((sum, { length }) => sum + length, 0)).toBe(3 * 1024 * 1024)
})

test('text is not sent while too much is waiting for the machine', () => {
  const connection = new ConsoleConnection(plain)
  connection.want(true)
  last().open()
  expect(connection.send(new Uint8Array(INPUT_MAX))).toBe(true)
  const { length } = last().sent
  last().bufferedAmount = INPUT_MAX
  expect(connection.send(new Uint8Array(1))).toBe(false)
  expect(last().sent).toHaveLength(length)
  last().bufferedAmount = 0
  expect(connection.send(new Uint8Array(1))).toBe(true)
  connection.disconnect()
})
