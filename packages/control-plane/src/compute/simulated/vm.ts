import type { Socket } from '../../http/sockets.ts'
import { bootLog, greeting, prompt } from './boot-log.ts'
import { ConsoleBuffer } from './console-buffer.ts'
import type { SimulatedOptions } from './options.ts'
import type { VmState } from './world.ts'

/** Somebody looking at a console: what they have seen, and where to send the rest. */
export interface Viewer {
  socket: Socket
  offset: number
}

/** A viewer that does not keep up gets no more until it has taken what is on its way. */
const MAX_BUFFERED = 1024 * 1024
const encoder = new TextEncoder()

const INTERRUPT = 0x03
const BACKSPACE = 0x08
const NEWLINE = 0x0a
const RETURN = 0x0d
const DELETE = 0x7f

/** One simulated virtual machine in memory. */
export class Vm {
  readonly console = new ConsoleBuffer()
  readonly viewers = new Set<Viewer>()
  state: VmState
  /** Offset up to which the console has been written down. */
  savedConsole = 0
  /** Columns typed since the prompt. */
  #typed = 0

  constructor(state: VmState) {
    this.state = state
  }

  get transitional(): boolean {
    return ['booting', 'rebooting', 'stopping'].includes(this.state.phase)
  }

  print(text: string): void {
    this.console.append(encoder.encode(text))
    this.pump()
  }

  /** Sends viewers what they have not seen. */
  pump(): void {
    for (const viewer of this.viewers) {
      if (viewer.socket.buffered() > MAX_BUFFERED) continue
      const { data, endOffset } = this.console.read(viewer.offset)
      viewer.offset = endOffset
      if (data.length > 0) viewer.socket.send(data)
    }
  }

  /** When the phase is over; milliseconds. */
  endsAt(options: SimulatedOptions): number {
    const length = {
      booting: options.bootMs,
      rebooting: options.rebootMs,
      stopping: options.stopMs,
    }
    return this.state.since + (length[this.state.phase as keyof typeof length] ?? 0)
  }

  enter(phase: VmState['phase'], now: number): void {
    this.state = { ...this.state, phase, since: now }
  }

  /** A fresh console: its buffer starts over at each boot. */
  resetConsole(): void {
    this.console.clear()
    this.savedConsole = 0
    this.#typed = 0
    this.state = { ...this.state, printed: 0 }
    for (const viewer of this.viewers) viewer.offset = 0
  }

  /**
   * Lets time pass: prints what is due of the boot log, ends a phase whose time is up.
   * @returns whether the phase changed
   */
  advance(now: number, options: SimulatedOptions): boolean {
    const { phase, since, spec } = this.state
    if (!this.transitional) return false
    const end = this.endsAt(options)
    if (phase !== 'stopping') {
      const lines = bootLog(spec)
      const share = end <= since ? 1 : Math.min(1, (now - since) / (end - since))
      const due = Math.floor(lines.length * share)
      const fresh = lines.slice(this.state.printed, due)
      if (fresh.length > 0) {
        this.state = { ...this.state, printed: due }
        this.print(fresh.map((line) => `${line}\r\n`).join(''))
      }
    }
    if (now < end) return false
    if (phase === 'stopping') {
      this.print('\r\nPower down\r\n')
      this.enter('stopped', now)
    } else {
      this.print(`${greeting(spec).join('\r\n')}\r\n${prompt(spec)}`)
      this.enter('running', now)
    }
    return true
  }

  /** Keys pressed at the console: echoed as a terminal does, and a new line gets a new prompt. */
  type(data: Uint8Array): void {
    if (this.state.phase !== 'running') return
    const echo: number[] = []
    const say = (text: string) => echo.push(...encoder.encode(text))
    for (const byte of data) {
      if (byte === RETURN || byte === NEWLINE) {
        this.#typed = 0
        say(`\r\n${prompt(this.state.spec)}`)
      } else if (byte === BACKSPACE || byte === DELETE) {
        // The prompt stays.
        if (this.#typed > 0) say('\b \b')
        this.#typed = Math.max(0, this.#typed - 1)
      } else if (byte === INTERRUPT) {
        this.#typed = 0
        say(`^C\r\n${prompt(this.state.spec)}`)
      } else if (byte < 0x20) {
        this.#typed += 2
        say(`^${String.fromCharCode(byte + 0x40)}`)
      } else {
        // Bytes that continue a character take no column.
        if ((byte & 0xc0) !== 0x80) this.#typed++
        echo.push(byte)
      }
    }
    if (echo.length === 0) return
    this.console.append(Uint8Array.from(echo))
    this.pump()
  }

  /** Ends all viewers' connections. */
  disconnect(reason: string): void {
    for (const { socket } of this.viewers) socket.close(1000, reason)
    this.viewers.clear()
  }
}
