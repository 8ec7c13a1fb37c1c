import { bootText, powerDown, rebooting, stopping } from './boot-log.ts'
import type { Console } from '@steading/control-plane/engine'
import type { SimulatedOptions } from './options.ts'
import type { GuestNetwork } from './os/network.ts'
import { Shell } from './os/shell.ts'
import { isUp, type MachineState, share } from './state.ts'

/** Bytes that a command may be ahead of the stored output and of the most advanced viewer. */
const MAX_AHEAD = 256 * 1024
/** Bytes at the end of the output to search for the last printed line. */
const TAIL_BYTES = 4096
/**
 * Bytes at the end of the stored output to search for the shell history, typed at another server or
 * by an earlier viewer.
 */
const HISTORY_BYTES = 64 * 1024
/** Milliseconds for which another server's report about its viewers is valid. */
const REMOTE_MS = 3_000

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The guest of a simulated machine, with its output and shell, at the server that drives it. */
export class Guest {
  readonly console: Console
  state: MachineState
  /** Resolves when pending output has been stored. */
  writing: Promise<void> | undefined
  /** The last piece of work on this guest, for which the next one waits. */
  turn: Promise<unknown> = Promise.resolve()
  #shell: Shell
  #bootText: ReturnType<typeof bootText>
  #remote: { offset: number; until: number } | undefined

  readonly #now: () => number
  readonly #network: GuestNetwork

  /** @param console with the stored output */
  constructor(state: MachineState, console: Console, now: () => number, network: GuestNetwork) {
    this.state = state
    this.console = console
    this.#now = now
    this.#network = network
    this.#shell = this.#newShell()
    this.#bootText = bootText(state.spec)
    if (state.phase !== 'running' || console.written < this.#bootText.length) return
    this.#append(encoder.encode(this.#shell.resume(this.#tail(HISTORY_BYTES))))
  }

  get id(): string {
    return this.state.id
  }

  /** Whether a command is running. */
  get busy(): boolean {
    return this.state.phase === 'running' && this.#shell.busy
  }

  /** Whether there may be viewers, at this or another server. */
  get watched(): boolean {
    return this.console.watched || this.#remoteOffset() !== undefined
  }

  /** Request of the guest to its machine, typed at its console. */
  get wants(): Shell['wants'] {
    return this.state.phase === 'running' ? this.#shell.wants : undefined
  }

  /**
   * Prints the output that is due. The length of the output shows what has been printed already.
   */
  print(now: number, options: SimulatedOptions): void {
    const { phase } = this.state
    if (phase === 'stopping') this.#printOnce(stopping)
    if (!isUp(this.state)) return
    const done = phase === 'running'
    const due = done
      ? this.#bootText.length
      : this.#bootText.lengthAt(share(this.state, now, options))
    const { length } = this.console.buffer
    if (length < due) this.#append(this.#bootText.bytes.subarray(length, due))
  }

  /** Prints the shutdown messages. */
  printEnd(): void {
    this.#printOnce(stopping)
    this.#printOnce(powerDown)
  }

  /** Prints the panic message of a kernel that was told to crash. */
  printPanic(): void {
    this.#append(this.#shell.panic())
  }

  /** Prints the reboot messages. */
  printRebooting(): void {
    this.#append(encoder.encode(rebooting))
  }

  /** Clears the console, because the machine reboots. */
  boot(): void {
    this.console.reset(this.state.boot)
    this.#shell = this.#newShell()
    this.#remote = undefined
  }

  /** Notices that disks have become larger. */
  seeDisks(): void {
    this.#shell.seeDisks(this.state.spec)
  }

  /** Handles keys from the console. */
  type(keys: Uint8Array): void {
    if (this.state.phase === 'running') this.#append(this.#shell.type(keys))
  }

  /** Continues a running command, unless it is too far ahead. */
  run(): void {
    if (this.busy && !this.#isAhead()) this.#append(this.#shell.run())
  }

  /** Records the progress of viewers at other servers. */
  remoteViewers(boot: number, offset: number): void {
    if (boot === this.console.boot) this.#remote = { offset, until: performance.now() + REMOTE_MS }
  }

  #remoteOffset(): number | undefined {
    return this.#remote && performance.now() < this.#remote.until ? this.#remote.offset : undefined
  }

  /** A command proceeds at the pace of its most advanced viewer, and waits without viewers. */
  #isAhead(): boolean {
    const { console } = this
    const furthest = Math.max(console.furthest ?? -Infinity, this.#remoteOffset() ?? -Infinity)
    return console.buffer.length - Math.min(console.written, furthest) > MAX_AHEAD
  }

  #newShell(): Shell {
    const clock = { now: this.#now, upSince: () => this.state.since }
    return new Shell(this.state.spec, clock, this.#network)
  }

  #tail(bytes = TAIL_BYTES): Uint8Array {
    return this.console.buffer.read(this.console.buffer.length - bytes).data
  }

  #printOnce(text: string): void {
    if (!decoder.decode(this.#tail()).includes(text)) this.#append(encoder.encode(text))
  }

  #append(data: Uint8Array): void {
    if (data.length > 0) this.console.buffer.append(data)
  }
}
