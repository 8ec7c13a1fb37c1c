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

export type Sink = { write: (data: Uint8Array | string) => void; reset: () => void }

const FIRST_RETRY = 1000
const LONGEST_RETRY = 30_000
/** A connection that held this long was a good one: the next loss is waited out shortly again. */
const STABLE_AFTER = 10_000
const NORMAL_CLOSE = 1000

const idle: ConnectionState = { status: 'closed', hasOpened: false }

/**
 * One serial console, kept open while its instance can be connected to. Knows nothing of the
 * terminal: output waits until somebody shows it.
 */
export class ConsoleConnection {
  #url: string
  #onLost: () => void
  #state: ConnectionState = idle
  #listeners = new Set<() => void>()
  #socket: WebSocket | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #wanted = false
  #failures = 0
  #openedAt = 0
  #sink: Sink | undefined
  #unseen: (Uint8Array | string)[] = []

  /** @param onLost the socket closed: the state of the instance may be another one */
  constructor(url: string, onLost: () => void = () => {}) {
    this.#url = url
    this.#onLost = onLost
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
    this.#unseen = []
    this.#set(idle)
  }

  /** Shows the output from here on; what came before anybody looked is shown first. */
  attach(sink: Sink): () => void {
    this.#sink = sink
    for (const data of this.#unseen) sink.write(data)
    this.#unseen = []
    return () => {
      if (this.#sink === sink) this.#sink = undefined
    }
  }

  /** Input is always binary; text frames would be ignored. */
  send(data: Uint8Array<ArrayBuffer>): void {
    if (this.#state.status === 'open') this.#socket?.send(data)
  }

  #set(state: ConnectionState) {
    this.#state = state
    this.#listeners.forEach((listener) => listener())
  }

  #open(hasOpened: boolean) {
    this.#set({ status: 'connecting', hasOpened })
    const socket = openConsoleSocket(this.#url)
    this.#socket = socket
    // Events of a socket that was let go are nobody's business any more.
    const mine = () => this.#socket === socket
    socket.addEventListener('open', () => {
      if (!mine()) return
      this.#openedAt = Date.now()
      // The newest output is sent again.
      this.#unseen = []
      this.#sink?.reset()
      this.#set({ status: 'open', hasOpened: true })
    })
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (!mine()) return
      const output = typeof data === 'string' ? data : new Uint8Array(data)
      if (this.#sink) this.#sink.write(output)
      else this.#unseen.push(output)
    })
    socket.addEventListener('close', ({ reason }) => mine() && this.#closed(reason))
  }

  #closed(reason: string) {
    const wasOpen = this.#state.status === 'open'
    const { hasOpened } = this.#state
    this.#socket = undefined
    this.#onLost()
    if (!this.#wanted) return this.#set(idle)
    if (!hasOpened) return this.#set({ status: 'failed', hasOpened, reason })
    if (wasOpen && Date.now() - this.#openedAt > STABLE_AFTER) this.#failures = 0
    const delay = Math.min(FIRST_RETRY * 2 ** this.#failures++, LONGEST_RETRY)
    this.#timer = setTimeout(() => this.#open(true), delay)
    this.#set({ status: 'waiting', hasOpened, retryAt: Date.now() + delay, reason })
  }
}
