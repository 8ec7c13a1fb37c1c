import {
  CONSOLE_WINDOW,
  type ConsolePlace,
  INPUT_MAX,
  parsePosition,
  takenFrame,
} from '@steading/api/rules'
import { OutputQueue, type Sink } from './output-queue.ts'
import { OutputRecord } from './output-record.ts'
import { formatSeconds } from '../../ui/exact-time.ts'
import { openConsoleSocket } from './socket.ts'

/**
 * - closed: not wanted, or the instance has ended; the kept log has been read
 * - reading: reading the log kept by the control plane
 * - connecting: first connection or reconnection
 * - open
 * - waiting: connection lost unexpectedly; retried at `retryAt`
 * - failed: never connected, or the log could not be read
 */
export type ConnectionState = {
  status: 'closed' | 'reading' | 'connecting' | 'open' | 'waiting' | 'failed'
  /** Whether there is output to show. */
  hasOutput: boolean
  retryAt?: number
  /** The close reason sent by the server. */
  reason?: string
}

const FIRST_RETRY = 1000
const LONGEST_RETRY = 30_000
/** Milliseconds after which a connection counts as stable, which resets the retry delay. */
const STABLE_AFTER = 10_000
const NORMAL_CLOSE = 1000
/** Bytes per frame: pasted text can be long, and hosts limit the size of frames. */
const FRAME_BYTES = 64 * 1024
/** Bytes shown before the control plane gets the next acknowledgement. */
const ACKNOWLEDGE_AFTER = CONSOLE_WINDOW / 8
/** Ends an escape sequence that was cut off, and resets the modes of the terminal. */
const RESET = '\x18\x1b[!p\x1b[0m\r\n'

/** The line between the output of two boots. */
const separator = () => `──────── New boot · ${formatSeconds(new Date())} ────────\r\n`

/** Output kept by the control plane. */
export type KeptLog = {
  /** The position of its first byte; undefined if the control plane does not report it. */
  place?: ConsolePlace
  data: Uint8Array<ArrayBuffer>
}

export type ConsoleConnectionOptions = {
  /** @param place the position to resume from; the newest output without one */
  url: (place?: ConsolePlace) => string
  /**
   * The control plane reports the position of its output, and gets acknowledgements of shown bytes.
   * Otherwise the screen is reset with each connection.
   */
  follows: boolean
  /**
   * Reads the log from a position, its newest part, or all of it; undefined if there is none.
   * Absent if the control plane keeps no log while an instance is off.
   */
  readLog?: (from: ConsolePlace | 'newest' | 'all') => Promise<KeptLog | undefined>
  /** The socket closed; the state of the instance may have changed. */
  onLost?: () => void
}

const encoder = new TextEncoder()

const idle: ConnectionState = { status: 'closed', hasOutput: false }

/**
 * One serial console connection, kept open while its instance allows it. Output stays when the
 * instance ends, and continues below after the next start. Independent of the terminal: output
 * waits until a terminal is attached.
 */
export class ConsoleConnection {
  #options: ConsoleConnectionOptions
  #state: ConnectionState = idle
  #listeners = new Set<() => void>()
  #socket: WebSocket | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #wanted: boolean | undefined
  #failures = 0
  #openedAt = 0
  #output = new OutputQueue(() => this.#tell())
  #record = new OutputRecord()
  /** Identifies the running read of the log. */
  #reading: object | undefined
  /** The instance has ended since output was shown, so the next output is from another boot. */
  #ended = false
  /** The position of the next byte. */
  #place: ConsolePlace | undefined
  /** Bytes of this socket: received, and acknowledged as shown. */
  #received = 0
  #acknowledged = 0

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

  /**
   * Sets whether the instance allows a connection. An open socket stays open until the server
   * closes it.
   */
  want(wanted: boolean): void {
    if (wanted === this.#wanted) return
    this.#wanted = wanted
    clearTimeout(this.#timer)
    if (!wanted) {
      if (this.#state.status !== 'open') void this.#readRest()
    } else if (!this.#socket) {
      this.#failures = 0
      this.#open()
    }
  }

  /** Retries a failed or waiting connection at once. */
  retry = (): void => {
    if (this.#socket) return
    clearTimeout(this.#timer)
    if (this.#wanted) this.#open()
    else if (this.#state.status === 'failed') void this.#readRest()
  }

  /** Closes the connection; called when the page is left. */
  disconnect(): void {
    clearTimeout(this.#timer)
    this.#wanted = undefined
    this.#hangUp()
    this.#place = undefined
    this.#ended = false
    this.#output.reset()
    this.#record = new OutputRecord()
    this.#set(idle)
  }

  /**
   * All available output: the current boot from the control plane, if it keeps a log, and earlier
   * boots as shown here.
   */
  async wholeLog(
    readAll: () => Promise<KeptLog | undefined> = async () => this.#options.readLog?.('all'),
  ): Promise<Uint8Array<ArrayBuffer>[]> {
    const log = await readAll()
    if (!log) return this.#record.parts()
    const boot = this.#place?.boot
    if (boot && log.place && log.place.boot !== boot) {
      return [...this.#record.parts(), encoder.encode(separator()), log.data]
    }
    return this.#record.parts(log.data)
  }

  /** Attaches a terminal; output that arrived before is shown first. */
  attach = (sink: Sink): (() => void) => this.#output.attach(sink)

  /**
   * Input is always binary; text frames carry positions.
   * @returns false if it is not sent, because too much is waiting for the machine to take it
   */
  send(data: Uint8Array<ArrayBuffer>): boolean {
    if (this.#state.status !== 'open' || !this.#socket) return true
    if (this.#socket.bufferedAmount + data.length > INPUT_MAX) return false
    for (let at = 0; at < data.length; at += FRAME_BYTES) {
      this.#socket.send(data.subarray(at, at + FRAME_BYTES))
    }
    return true
  }

  #set(state: ConnectionState) {
    this.#state = state
    this.#listeners.forEach((listener) => listener())
  }

  #open() {
    this.#reading = undefined
    this.#set({ status: 'connecting', hasOutput: this.#state.hasOutput })
    const socket = openConsoleSocket(this.#options.url(this.#place))
    this.#socket = socket
    this.#received = 0
    this.#acknowledged = 0
    // Events of a socket that was replaced are ignored.
    const mine = () => this.#socket === socket
    socket.addEventListener('open', () => {
      if (!mine()) return
      this.#openedAt = Date.now()
      if (!this.#options.follows) this.#startOver()
      this.#ended = false
      this.#set({ status: 'open', hasOutput: true })
    })
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (mine()) this.#receive(data)
    })
    socket.addEventListener('close', ({ reason }) => mine() && this.#closed(reason))
  }

  #receive(data: ArrayBuffer | string) {
    if (typeof data === 'string') {
      if (this.#options.follows) this.#resumeAt(parsePosition(data))
      else this.#take(encoder.encode(data))
      return
    }
    this.#received += data.byteLength
    this.#take(new Uint8Array(data))
  }

  /** Shows output that follows the last one. */
  #take(data: Uint8Array<ArrayBuffer>) {
    if (this.#place) this.#place.offset += data.length
    this.#record.push(data)
    this.#output.push(data)
  }

  /** Another boot begins, after a separator line. */
  #beginBoot() {
    const line = separator()
    this.#record.bootAnew(encoder.encode(line))
    this.#output.push(RESET + line)
  }

  /** Resets the screen: a control plane without positions sends the newest output again. */
  #startOver() {
    if (this.#ended) return this.#beginBoot()
    this.#output.reset()
    this.#record.startOver()
  }

  #resumeAt(place: ConsolePlace | undefined) {
    if (!place) return
    const last = this.#place
    this.#place = place
    if (!last) return
    if (last.boot !== place.boot) this.#beginBoot()
    else if (place.offset > last.offset) this.#output.miss(place.offset - last.offset)
  }

  #tell() {
    if (!this.#options.follows || this.#state.status !== 'open') return
    const taken = this.#received - this.#output.length
    if (taken - this.#acknowledged < ACKNOWLEDGE_AFTER) return
    this.#acknowledged = taken
    this.#socket?.send(takenFrame(taken))
  }

  #hangUp() {
    const socket = this.#socket
    this.#socket = undefined
    this.#reading = undefined
    socket?.close(NORMAL_CLOSE)
  }

  /** The instance is off: keeps its output, and reads the rest from the log. */
  async #readRest() {
    this.#hangUp()
    const { hasOutput } = this.#state
    this.#ended = hasOutput
    const { readLog } = this.#options
    if (!readLog) return this.#set({ status: 'closed', hasOutput })
    const reading = (this.#reading = {})
    this.#set({ status: 'reading', hasOutput })
    try {
      const log = await readLog(this.#place ?? 'newest')
      if (this.#reading !== reading) return
      if (log) {
        this.#resumeAt(log.place)
        this.#take(log.data)
      }
      this.#set({ status: 'closed', hasOutput: hasOutput || log !== undefined })
    } catch (error) {
      if (this.#reading !== reading) return
      const reason = error instanceof Error ? error.message : undefined
      this.#set({ status: 'failed', hasOutput, reason })
    }
  }

  #closed(reason: string) {
    const wasOpen = this.#state.status === 'open'
    const { hasOutput } = this.#state
    this.#socket = undefined
    this.#options.onLost?.()
    if (!this.#wanted) return void this.#readRest()
    if (!hasOutput) return this.#set({ status: 'failed', hasOutput, reason })
    if (wasOpen && Date.now() - this.#openedAt > STABLE_AFTER) this.#failures = 0
    const delay = Math.min(FIRST_RETRY * 2 ** this.#failures++, LONGEST_RETRY)
    this.#timer = setTimeout(() => this.#open(), delay)
    this.#set({ status: 'waiting', hasOutput, retryAt: Date.now() + delay, reason })
  }
}
