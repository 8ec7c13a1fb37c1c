import type { MachineSpec } from '@steading/control-plane/ports'
import { complete } from './complete.ts'
import { absolute, find } from './files.ts'
import { type Key, KeyReader } from './keys.ts'
import { LineEditor, MAX_EDITED } from './line-editor.ts'
import type { GuestNetwork } from './network.ts'
import { HOME, type Session } from './program.ts'
import { programNames, runLine } from './run-line.ts'
import { screenLine } from './screen-line.ts'
import { sideBySide } from './sizes.ts'
import { type Clock, createSystem, panicLog, seeDisks } from './system.ts'

const INTERRUPT = 0x03

/** Characters that a program prints before yielding. */
const BURST = 64 * 1024
/** Empty pieces that a program yields before other work gets a turn. */
const BREATHS = 500
/** Maximum number of keys queued for the end of a running program. */
const MAX_AHEAD = 4096
/** Maximum characters printed by editing for one piece of input; further keys are ignored. */
const MAX_EDITS = 256 * 1024
/** Length of the history in lines. */
const MAX_HISTORY = 500

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Greeting for a viewer who opens the console. */
export const greeting = (hostname: string): string =>
  // Enables reverse wraparound, so that moving back from a wrapped line reaches the line above.
  `\x1b[?45h\r\nWelcome to ${hostname}. This machine is simulated; help lists its commands.\r\n\r\n`

export const firstPrompt = (hostname: string): string => `${hostname}:~# `

/** The shell at the console of a simulated guest: a line editor and some programs. */
export class Shell {
  readonly #session: Session
  readonly #editor: LineEditor
  readonly #keys = new KeyReader()
  #running: Iterator<string, void> | undefined
  #ahead: number[] = []
  /** The previous key was a Tab without a completion. */
  #asked = false

  constructor(spec: MachineSpec, clock: Clock, network: GuestNetwork) {
    const history: string[] = []
    const system = createSystem(spec, {
      clock,
      network,
      programs: programNames,
      crash: () => void (this.#session.wants = 'crash'),
    })
    this.#session = { system, cwd: HOME, history, status: 0, wants: undefined, left: false }
    this.#editor = new LineEditor(history)
  }

  /** Notices that disks have become larger. */
  seeDisks(spec: MachineSpec): void {
    seeDisks(this.#session.system, spec)
  }

  /** Whether a program is running. */
  get busy(): boolean {
    return this.#running !== undefined
  }

  /** Request to the machine. */
  get wants(): Session['wants'] {
    return this.#session.wants
  }

  /**
   * Handles keys, even while a program runs.
   * @returns the output for the terminal
   */
  type(bytes: Iterable<number>): Uint8Array {
    let shown = ''
    let edits = 0
    let text = ''
    const insert = () => {
      if (text) shown += this.#editor.insert(text)
      text = ''
    }
    for (const byte of bytes) {
      if (this.wants || edits > MAX_EDITS) break
      if (this.#running && byte !== INTERRUPT) {
        if (this.#ahead.length < MAX_AHEAD) this.#ahead.push(byte)
        continue
      }
      const key = this.#keys.read(byte)
      if (!key) continue
      if ('text' in key) text += key.text
      else {
        insert()
        const printed = this.#press(key.key)
        shown += printed
        if (key.key !== 'enter') edits += printed.length
      }
    }
    insert()
    return encoder.encode(shown)
  }

  /**
   * Continues the running program.
   * @returns its output, and at its end the prompt
   */
  run(): Uint8Array {
    return encoder.encode(this.#run())
  }

  /** Panic message of a kernel that was told to crash. */
  panic(): Uint8Array {
    return encoder.encode(
      panicLog(this.#session.system)
        .map((line) => `${line}\r\n`)
        .join(''),
    )
  }

  /**
   * Takes over from a shell at another server, or one dropped from memory, using the end of its
   * output.
   * @returns the text to print; a program that was running there has ended
   */
  resume(output: Uint8Array): string {
    const lines = decoder.decode(output).split('\n')
    const prompted = lines.map((line) => this.#afterPrompt(line))
    const last = prompted.pop()
    for (const line of prompted) if (line && !line.text.endsWith('^C')) this.#remember(line.text)
    const cwd = (last ?? prompted.findLast((line) => line !== undefined))?.cwd
    if (cwd !== undefined) this.#goTo(cwd)
    if (!last) return `\r\n${this.#prompt}`
    this.#editor.restore(last.text, last.back)
    return ''
  }

  get #prompt(): string {
    const { cwd, system } = this.#session
    const place =
      cwd === HOME ? '~' : cwd.startsWith(`${HOME}/`) ? `~${cwd.slice(HOME.length)}` : cwd
    return `${system.hostname}:${place}# `
  }

  #goTo(place: string): void {
    const cwd = absolute(place.replace(/^~/, HOME), '/')
    if (find(this.#session.system.root, cwd)?.kind === 'directory') this.#session.cwd = cwd
  }

  /** Input and directory in a line of output; undefined in a line without a prompt. */
  #afterPrompt(line: string): { cwd: string; text: string; back: number } | undefined {
    if (!line.includes(`${this.#session.system.hostname}:`)) return undefined
    const { text, back } = screenLine(line.replace(/\r$/, ''))
    // The prompt may follow output without a line break.
    const at = text.lastIndexOf(`${this.#session.system.hostname}:`)
    const [, cwd, typed] = /^[^:]*:([~/][^ #]*)# (.*)$/s.exec(text.slice(Math.max(0, at))) ?? []
    return cwd === undefined ? undefined : { cwd, text: typed!, back }
  }

  #remember(line: string): void {
    const { history } = this.#session
    if (line.trim() === '' || line === history.at(-1)) return
    history.push(line)
    if (history.length > MAX_HISTORY) history.shift()
  }

  #press(key: Extract<Key, { key: unknown }>['key']): string {
    const asked = this.#asked
    this.#asked = false
    switch (key) {
      case 'interrupt':
        this.#running?.return?.()
        this.#running = undefined
        this.#ahead = []
        this.#editor.take()
        return `^C\r\n${this.#prompt}`
      case 'clear':
        return `\x1b[H\x1b[2J${this.#prompt}${this.#editor.print()}`
      case 'enter': {
        const line = this.#editor.take()
        if (line.length > MAX_EDITED) return `\r\nsh: line is too long\r\n${this.#prompt}`
        this.#remember(line)
        this.#running = runLine(this.#session, line)
        return `\r\n${this.#run()}`
      }
      case 'end of input':
        if (this.#editor.text !== '') return this.#editor.press('delete')
        this.#running = runLine(this.#session, 'exit')
        return `exit\r\n${this.#run()}`
      case 'complete':
        return this.#complete(asked)
      default:
        return this.#editor.press(key)
    }
  }

  #complete(asked: boolean): string {
    const { insert, options } = complete(this.#session, this.#editor.beforeCursor)
    if (insert) return this.#editor.insert(insert)
    if (options.length === 0) return ''
    this.#asked = true
    if (!asked) return ''
    const names = sideBySide(options).replaceAll('\n', '\r\n')
    return `\r\n${names}${this.#prompt}${this.#editor.print()}`
  }

  #run(): string {
    let output = ''
    let breaths = 0
    while (this.#running && output.length < BURST && breaths < BREATHS) {
      const { value, done } = this.#running.next()
      if (done) this.#running = undefined
      else if (value === '') breaths++
      else output += value
    }
    output = output.replaceAll('\n', '\r\n')
    if (this.#running || this.wants) return output
    if (this.#session.left) {
      this.#session.left = false
      this.#session.cwd = HOME
      output += greeting(this.#session.system.hostname)
    }
    output += this.#prompt
    const ahead = this.#ahead
    this.#ahead = []
    return ahead.length > 0 ? output + decoder.decode(this.type(ahead)) : output
  }
}
