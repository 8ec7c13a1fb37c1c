import { startCommand, wantOf } from './commands.ts'

const INTERRUPT = 0x03
const BACKSPACE = 0x08
const NEWLINE = 0x0a
const RETURN = 0x0d
const DELETE = 0x7f

/** Characters that a command prints before other work gets a turn. */
const BURST = 64 * 1024
/** Most keys that wait for the end of a running command. */
const MAX_AHEAD = 4096

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** One character of the line being typed, with the columns that it takes. */
interface Typed {
  bytes: number[]
  columns: number
}

/** The shell at the console of a simulated guest: a line editor and a few commands. */
export class Shell {
  #prompt: string
  #line: Typed[] = []
  #running: Iterator<string> | undefined
  #ahead: number[] = []
  /** What was asked of the machine; no more keys are taken then. */
  wants: 'off' | 'reboot' | undefined

  constructor(prompt: string) {
    this.#prompt = prompt
  }

  /** Whether a command is running. */
  get busy(): boolean {
    return this.#running !== undefined
  }

  /** Handles pressed keys; a command may be running. @returns the output of the terminal */
  type(keys: Iterable<number>): Uint8Array {
    const shown: number[] = []
    for (const key of keys) this.#press(key, shown)
    return Uint8Array.from(shown)
  }

  /** Lets the running command go on. @returns its output, and at its end the prompt */
  run(): Uint8Array {
    let output = ''
    while (this.#running && output.length < BURST) {
      const { value, done } = this.#running.next()
      if (done) this.#running = undefined
      else output += value
    }
    if (this.#running) return encoder.encode(output)
    const ahead = this.#ahead
    this.#ahead = []
    const prompted = encoder.encode(output + this.#prompt)
    const typed = this.type(ahead)
    const all = new Uint8Array(prompted.length + typed.length)
    all.set(prompted)
    all.set(typed, prompted.length)
    return all
  }

  /**
   * Continues for a shell at another server, from the end of its output.
   * @returns the text to print; a command that ran there has ended
   */
  resume(output: Uint8Array): string {
    const last = decoder.decode(output).split('\n').at(-1)!
    // Output of a command without an end of line stands before the prompt.
    const prompted = last.lastIndexOf(this.#prompt)
    if (prompted < 0) return `\r\n${this.#prompt}`
    let line = last.slice(prompted + this.#prompt.length)
    while (line.includes('\b \b')) line = line.replace(/[^\b]?[\b] [\b]/, '')
    this.#line = [...line].map((char) => ({ bytes: [...encoder.encode(char)], columns: 1 }))
    return ''
  }

  #press(key: number, shown: number[]): void {
    const say = (text: string) => {
      for (const byte of encoder.encode(text)) shown.push(byte)
    }
    if (key === INTERRUPT) {
      this.#running = undefined
      this.#ahead = []
      this.#line = []
      return say(`^C\r\n${this.#prompt}`)
    }
    if (this.wants) return
    if (this.#running) {
      if (this.#ahead.length < MAX_AHEAD) this.#ahead.push(key)
      return
    }
    if (key === RETURN || key === NEWLINE) {
      const line = decoder.decode(Uint8Array.from(this.#line.flatMap(({ bytes }) => bytes)))
      this.#line = []
      this.wants = wantOf(line)
      if (this.wants) return say('\r\n')
      this.#running = startCommand(line)
      say('\r\n')
      for (const byte of this.run()) shown.push(byte)
    } else if (key === BACKSPACE || key === DELETE) {
      // Erases the last character of the line; the prompt stays.
      say('\b \b'.repeat(this.#line.pop()?.columns ?? 0))
    } else if (key < 0x20) {
      this.#line.push({ bytes: [], columns: 2 })
      say(`^${String.fromCharCode(key + 0x40)}`)
    } else {
      // Continuation bytes of UTF-8 take no column.
      const continued = (key & 0xc0) === 0x80 && this.#line.at(-1)
      if (continued) continued.bytes.push(key)
      else this.#line.push({ bytes: [key], columns: 1 })
      shown.push(key)
    }
  }
}
