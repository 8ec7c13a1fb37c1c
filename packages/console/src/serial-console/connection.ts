import { CONSOLE_WINDOW, type ConsolePlace, heardPlace, tellTaken } from '@steading/api/rules'
import { OutputQueue, type Sink } from './output-queue.ts'
import { openConsoleSocket } from './socket.ts'

/**
 * - closed: not wanted, or ended when the instance did
 * - connecting: the first time, or again
 * - open
 * - waiting: lost without a reason; tried again at `retryAt`
 * - failed: never got through
 */
export type ConnectionState = {
  status: 'closed' | 'connecting' | 'open' | 'waiting' | 'failed'
  /** Whether there is output to show: it has been open since it was last wanted. */
  hasOpened: boolean
  retryAt?: number
  /** What the other side said when it closed. */
  reason?: string
}

const FIRST_RETRY = 1000
const LONGEST_RETRY = 30_000
/** After a connection that lasted this long, the first retry comes soon again. */
const STABLE_AFTER = 10_000
const NORMAL_CLOSE = 1000
/** Bytes sent at once; pasted text can be long, and hosts take no frames of any size. */
const FRAME_BYTES = 64 * 1024
/** Bytes that are shown before the control plane is told. */
const TELL_AFTER = CONSOLE_WINDOW / 8
/** Between the output of two boots: resets the modes of the terminal. */
const BOOTED = '\x18\x1b[!p\x1b[0m\r\n'

export type ConsoleConnectionOptions = {
  /** @param place where to go on; without one, the newest output is wanted */
  url: (place?: ConsolePlace) => string
  /**
   * The control plane says the position of its output and is told how much was shown. Otherwise the
   * screen starts over with each connection.
   */
  follows: boolean
  /** The socket closed: the state of the instance may be another one. */
  onLost?: () => void
}

const idle: ConnectionState = { status: 'closed', hasOpened: false }

/**
 * One serial console, kept open while its instance can be connected to. Knows nothing of the
 * terminal: output waits until a terminal is attached.
 */
export class ConsoleConnection {
  #options: ConsoleConnectionOptions
  #state: ConnectionState = idle
  #listeners = new Set<() => void>()
  #socket: WebSocket | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #wanted = false
  #failures = 0
  #openedAt = 0
  #output = new OutputQueue(() => this.#tell())
  /** The position of the next byte. */
  #place: ConsolePlace | undefined
  /** Bytes of this socket: received, and reported as shown. */
  #received = 0
  #told = 0

  constructor(options: ConsoleConnectionOptions) {
    this.#options = options
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }
  snapshot = (): ConnectionState => this.#state

  /** Whether the instance can be connected to. What is open stays so until the other side closes. */
  want(wanted: boolean): void {
    if (wanted === this.#wanted) return
    this.#wanted = wanted
    clearTimeout(this.#timer)
    if (wanted && !this.#socket) {
      this.#failures = 0
      this.#open(false)
    } else if (!wanted && this.#state.status !== 'open') this.disconnect()
  }

  /** Connects at once instead of waiting. */
  retry = (): void => {
    if (!this.#wanted || this.#socket) return
    clearTimeout(this.#timer)
    this.#open(this.#state.hasOpened)
  }

  /** The page is left. */
  disconnect(): void {
    clearTimeout(this.#timer)
    this.#wanted = false
    const socket = this.#socket
    this.#socket = undefined
    socket?.close(NORMAL_CLOSE)
    this.#end()
  }

  /** Attaches a terminal; output that arrived before is shown first. */
  attach = (sink: Sink): (() => void) => this.#output.attach(sink)

  /** Input is always binary; text frames carry positions. */
  send(data: Uint8Array<ArrayBuffer>): void {
    if (this.#state.status !== 'open') return
    for (let at = 0; at < data.length; at += FRAME_BYTES) {
      this.#socket?.send(data.subarray(at, at + FRAME_BYTES))
    }
  }

  #set(state: ConnectionState) {
    this.#state = state
    this.#listeners.forEach((listener) => listener())
  }

  #open(hasOpened: boolean) {
    this.#set({ status: 'connecting', hasOpened })
    const socket = openConsoleSocket(this.#options.url(this.#place))
    this.#socket = socket
    this.#received = 0
    this.#told = 0
    // Events of a socket that was replaced are ignored.
    const mine = () => this.#socket === socket
    socket.addEventListener('open', () => {
      if (!mine()) return
      this.#openedAt = Date.now()
      // The newest output is sent again.
      if (!this.#options.follows) this.#output.reset()
      this.#set({ status: 'open', hasOpened: true })
    })
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (mine()) this.#receive(data)
    })
    socket.addEventListener('close', ({ reason }) => mine() && this.#closed(reason))
  }

  #receive(data: ArrayBuffer | string) {
    if (!this.#options.follows) {
      return this.#output.push(typeof data === 'string' ? data : new Uint8Array(data))
    }
    if (typeof data === 'string') return this.#goOnAt(heardPlace(data))
    this.#received += data.byteLength
    if (this.#place) this.#place.offset += data.byteLength
    this.#output.push(new Uint8Array(data))
  }

  #goOnAt(place: ConsolePlace | undefined) {
    if (!place) return
    const last = this.#place
    this.#place = place
    if (!last) return
    if (last.boot !== place.boot) this.#output.push(BOOTED)
    else if (place.offset > last.offset) this.#output.miss(place.offset - last.offset)
  }

  #tell() {
    if (!this.#options.follows || this.#state.status !== 'open') return
    const taken = this.#received - this.#output.length
    if (taken - this.#told < TELL_AFTER) return
    this.#told = taken
    this.#socket?.send(tellTaken(taken))
  }

  /** Forgets the output; the next connection is a first one. */
  #end() {
    this.#place = undefined
    this.#output.reset()
    this.#set(idle)
  }

  #closed(reason: string) {
    const wasOpen = this.#state.status === 'open'
    const { hasOpened } = this.#state
    this.#socket = undefined
    this.#options.onLost?.()
    if (!this.#wanted) return this.#end()
    if (!hasOpened) return this.#set({ status: 'failed', hasOpened, reason })
    if (wasOpen && Date.now() - this.#openedAt > STABLE_AFTER) this.#failures = 0
    const delay = Math.min(FIRST_RETRY * 2 ** this.#failures++, LONGEST_RETRY)
    this.#timer = setTimeout(() => this.#open(true), delay)
    this.#set({ status: 'waiting', hasOpened, retryAt: Date.now() + delay, reason })
  }
}
