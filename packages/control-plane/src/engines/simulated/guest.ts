import { bootText, powerDown, prompt, rebooting, stopping } from './boot-log.ts'
import type { Console } from './console.ts'
import type { SimulatedOptions } from './options.ts'
import { Shell } from './shell.ts'
import { isUp, type MachineState, share } from './state.ts'

/** Bytes a command may be ahead of what is written down, and of the viewer who is furthest. */
const MAX_AHEAD = 256 * 1024
/** Bytes looked at for what was being typed, or said, when another process drove the machine. */
const TAIL_BYTES = 4096
/** How long what another server said of its viewers holds, in milliseconds. */
const REMOTE_MS = 3_000

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** What runs in a simulated machine, at the server that drives it: it prints, and has a shell. */
export class Guest {
  readonly console: Console
  state: MachineState
  /** The console is being written down. */
  writing: Promise<void> | undefined
  /** What is done with this guest is done in turn. */
  turn: Promise<unknown> = Promise.resolve()
  #shell: Shell
  #bootText: ReturnType<typeof bootText>
  #remote: { offset: number; until: number } | undefined

  /** @param console with what has been written down of its output */
  constructor(state: MachineState, console: Console) {
    this.state = state
    this.console = console
    this.#shell = new Shell(prompt(state.spec))
    this.#bootText = bootText(state.spec)
    if (state.phase !== 'running' || console.written < this.#bootText.length) return
    this.#append(encoder.encode(this.#shell.resume(this.#tail())))
  }

  get id(): string {
    return this.state.id
  }

  /** A command is running. */
  get busy(): boolean {
    return this.state.phase === 'running' && this.#shell.busy
  }

  /** Somebody may be looking: here, or at another server. */
  get watched(): boolean {
    return this.console.watched || this.#remoteOffset() !== undefined
  }

  /** The guest has told its machine to power off. */
  get poweredOff(): boolean {
    return this.state.phase === 'running' && this.#shell.poweredOff
  }

  /** Prints what is due by now. What has been printed shows in how much there is. */
  print(now: number, options: SimulatedOptions): void {
    const { phase } = this.state
    if (phase === 'stopping' || phase === 'stopped') this.#printOnce(stopping)
    if (phase === 'stopped') this.#printOnce(powerDown)
    if (!isUp(this.state)) return
    const done = phase === 'running'
    const due = done
      ? this.#bootText.length
      : this.#bootText.lengthAt(share(this.state, now, options))
    const { length } = this.console.buffer
    if (length < due) this.#append(this.#bootText.bytes.subarray(length, due))
  }

  /** The last words before a reboot. */
  printRebooting(): void {
    this.#append(encoder.encode(rebooting))
  }

  /** The machine boots again: with a fresh console. */
  boot(): void {
    this.console.reset(this.state.reboots)
    this.#shell = new Shell(prompt(this.state.spec))
    this.#remote = undefined
  }

  /** Keys pressed at the console. */
  type(keys: Uint8Array): void {
    if (this.state.phase === 'running') this.#append(this.#shell.type(keys))
  }

  /** Lets a running command go on, unless it is far ahead. */
  run(): void {
    if (this.busy && !this.#isAhead()) this.#append(this.#shell.run())
  }

  /** How far the viewers at other servers have come. */
  remoteViewers(boot: number, offset: number): void {
    if (boot === this.console.boot) this.#remote = { offset, until: performance.now() + REMOTE_MS }
  }

  #remoteOffset(): number | undefined {
    return this.#remote && performance.now() < this.#remote.until ? this.#remote.offset : undefined
  }

  /** A command goes at the pace of its fastest viewer, and no further while there is none. */
  #isAhead(): boolean {
    const { console } = this
    const furthest = Math.max(console.furthest ?? -Infinity, this.#remoteOffset() ?? -Infinity)
    return console.buffer.length - Math.min(console.written, furthest) > MAX_AHEAD
  }

  #tail(): Uint8Array {
    return this.console.buffer.read(this.console.buffer.length - TAIL_BYTES).data
  }

  #printOnce(text: string): void {
    if (!decoder.decode(this.#tail()).includes(text)) this.#append(encoder.encode(text))
  }

  #append(data: Uint8Array): void {
    if (data.length > 0) this.console.buffer.append(data)
  }
}
