import { CONSOLE_WINDOW, type ConsolePlace } from '@steading/api/rules'
import type { ConsoleStart, ConsoleViewer } from '../../kernel/ports/engine.ts'
import { bootLog, greeting, prompt } from './boot-log.ts'
import { ConsoleBuffer } from './console-buffer.ts'
import type { SimulatedOptions } from './options.ts'
import { Shell } from './shell.ts'
import type { VmState } from './world.ts'

/** Bytes sent to a viewer at once. */
const FRAME_BYTES = 64 * 1024
/** Bytes a command may be ahead of what is written down, and of the viewer who is furthest. */
const MAX_AHEAD = 256 * 1024
/** Bytes looked at for what was being typed before a restart. */
const LINE_BYTES = 4096

const encoder = new TextEncoder()

/** Somebody looking at the console, with the offset of what they are shown next. */
interface Watching {
  viewer: ConsoleViewer
  offset: number
}

/** One simulated virtual machine in memory. */
export class Vm {
  readonly id: string
  readonly console = new ConsoleBuffer()
  state: VmState
  /** Offset up to which the console has been written down, and may be shown. */
  written = 0
  /** The console is being written down. */
  writing: Promise<void> | undefined
  #onOutput: (vm: Vm) => void
  #shell: Shell
  #watching = new Set<Watching>()

  /** @param onOutput there is something to be written down and shown */
  constructor(id: string, state: VmState, onOutput: (vm: Vm) => void) {
    this.id = id
    this.state = state
    this.#onOutput = onOutput
    this.#shell = new Shell(prompt(state.spec))
  }

  get transitional(): boolean {
    return ['booting', 'rebooting', 'stopping'].includes(this.state.phase)
  }

  /** A command is running in the guest. */
  get busy(): boolean {
    return this.state.phase === 'running' && this.#shell.busy
  }

  get boot(): string {
    return `${this.id}.${this.state.reboots}`
  }

  print(text: string): void {
    this.#append(encoder.encode(text))
  }

  #append(data: Uint8Array): void {
    if (data.length === 0) return
    this.console.append(data)
    this.#onOutput(this)
  }

  /** Puts the console back as it was written down. */
  restore(chunks: { offset: number; data: Uint8Array }[]): void {
    for (const { offset, data } of chunks) this.console.append(data, offset)
    this.written = this.console.length
    if (this.state.phase !== 'running') return
    this.print(this.#shell.resume(this.console.read(this.written - LINE_BYTES).data))
  }

  /** The console has been written down to an offset. */
  show(written: number): void {
    this.written = written
    for (const watching of this.#watching) this.#pump(watching)
  }

  /** Sends a viewer what they have not seen, as far as they take it. */
  #pump(watching: Watching): void {
    const { viewer } = watching
    while (watching.offset < this.written && viewer.pending() < CONSOLE_WINDOW) {
      const from = Math.max(watching.offset, this.console.start)
      const { data, endOffset } = this.console.read(
        from,
        Math.min(FRAME_BYTES, this.written - from),
      )
      if (from > watching.offset) viewer.goOnAt({ boot: this.boot, offset: from })
      watching.offset = endOffset
      viewer.write(data)
    }
  }

  #startOf(start: ConsoleStart): number {
    if ('mostRecent' in start) return this.written - (start.mostRecent ?? this.written)
    return start.boot === this.boot ? Math.min(start.offset, this.written) : 0
  }

  watch(start: ConsoleStart, viewer: ConsoleViewer): { drained: () => void; leave: () => void } {
    const offset = Math.max(this.console.start, this.#startOf(start))
    const watching: Watching = { viewer, offset }
    this.#watching.add(watching)
    this.#tellPlace(watching)
    this.#pump(watching)
    return {
      drained: () => this.#watching.has(watching) && this.#pump(watching),
      leave: () => void this.#watching.delete(watching),
    }
  }

  #tellPlace({ viewer, offset }: Watching): void {
    const place: ConsolePlace = { boot: this.boot, offset }
    viewer.goOnAt(place)
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
    this.written = 0
    this.#shell = new Shell(prompt(this.state.spec))
    this.state = { ...this.state, printed: 0 }
    for (const watching of this.#watching) {
      watching.offset = 0
      this.#tellPlace(watching)
    }
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

  /** Keys pressed at the console. */
  type(keys: Uint8Array): void {
    if (this.state.phase === 'running') this.#append(this.#shell.type(keys))
  }

  /** Lets a running command go on, unless it is far ahead. */
  run(): void {
    if (this.busy && !this.#isAhead()) this.#append(this.#shell.run())
  }

  /** A command goes at the pace of its fastest viewer, and no further while nobody looks. */
  #isAhead(): boolean {
    const { length } = this.console
    const isBehind = (offset: number) => length - offset > MAX_AHEAD
    return isBehind(this.written) || [...this.#watching].every(({ offset }) => isBehind(offset))
  }

  /** Ends all viewers' connections. */
  disconnect(reason: string): void {
    for (const { viewer } of this.#watching) viewer.close(1000, reason)
    this.#watching.clear()
  }
}
