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
  /** Whether there is anything to be seen: it has been open since it was last wanted. */
  hasOpened: boolean
  retryAt?: number
  /** What the other side said when it closed. */
  reason?: string
}

const FIRST_RETRY = 1000
const LONGEST_RETRY = 30_000
/** A connection that held this long was a good one: the next loss is waited out shortly again. */
const STABLE_AFTER = 10_000
const NORMAL_CLOSE = 1000
/** Bytes sent at once; pasted text can be long, and hosts take no frames of any size. */
const FRAME_BYTES = 64 * 1024
/** Bytes that are shown before the other side is told. */
const TELL_AFTER = CONSOLE_WINDOW / 8
/** Between what two boots said: the modes of the terminal are what they are after a start. */
const BOOTED = '\x18\x1b[!p\x1b[0m\r\n'

export type ConsoleConnectionOptions = {
  /** @param place where to go on; without one, the newest output is wanted */
  url: (place?: ConsolePlace) => string
  /**
   * The other side says where its output stands and is told how much is taken. Otherwise the screen
   * starts over with each connection.
   */
  follows: boolean
  /** The socket closed: the state of the instance may be another one. */
  onLost?: () => void
}

const idle: ConnectionState = { status: 'closed', hasOpened: false }

/**
 * One serial console, kept open while its instance can be connected to. Knows nothing of the
 * terminal: output waits until somebody shows it.
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
  /** Of the byte that comes next. */
  #place: ConsolePlace | undefined
  /** Bytes of this socket: those that came, and those it was told are taken. */
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

  /** At once, whatever was waited for. */
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

  /** Shows the output from here on; what came before anybody looked is shown first. */
  attach = (sink: Sink): (() => void) => this.#output.attach(sink)

  /** Input is always binary; text frames say other things, or are ignored. */
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
    // Events of a socket that was let go are nobody's business any more.
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

  /** There is nothing to be seen any more; the next time is a first time. */
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
