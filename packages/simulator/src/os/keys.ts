/** Keys as a terminal sends them. */
export type Key =
  | { text: string }
  | {
      key:
        | 'enter'
        | 'interrupt'
        | 'end of input'
        | 'complete'
        | 'clear'
        | 'backspace'
        | 'delete'
        | 'left'
        | 'right'
        | 'word left'
        | 'word right'
        | 'home'
        | 'end'
        | 'up'
        | 'down'
        | 'kill to end'
        | 'kill to start'
        | 'kill word'
        | 'yank'
    }
type Name = Extract<Key, { key: unknown }>['key']

const controls: Record<number, Name> = {
  0x01: 'home',
  0x02: 'left',
  0x03: 'interrupt',
  0x04: 'end of input',
  0x05: 'end',
  0x06: 'right',
  0x08: 'backspace',
  0x09: 'complete',
  0x0a: 'enter',
  0x0b: 'kill to end',
  0x0c: 'clear',
  0x0d: 'enter',
  0x0e: 'down',
  0x10: 'up',
  0x15: 'kill to start',
  0x17: 'kill word',
  0x19: 'yank',
  0x7f: 'backspace',
}

/** Escape sequences without the escape character. */
const sequences: Record<string, Name> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  '[H': 'home',
  '[F': 'end',
  '[1~': 'home',
  '[7~': 'home',
  '[4~': 'end',
  '[8~': 'end',
  '[3~': 'delete',
  '[1;3C': 'word right',
  '[1;5C': 'word right',
  '[1;3D': 'word left',
  '[1;5D': 'word left',
  f: 'word right',
  b: 'word left',
  '\x7f': 'kill word',
}

const ESCAPE = 0x1b
const MAX_SEQUENCE = 32

/** Decodes keys from bytes; a key may arrive in several pieces. */
export class KeyReader {
  #text = new TextDecoder()
  #sequence: string | undefined

  /** @returns the key completed by a byte */
  read(byte: number): Key | undefined {
    if (this.#sequence !== undefined) return this.#continue(byte)
    if (byte === ESCAPE) {
      this.#sequence = ''
      return undefined
    }
    if (byte < 0x20 || byte === 0x7f) {
      const key = controls[byte]
      return key && { key }
    }
    const text = this.#text.decode(Uint8Array.of(byte), { stream: true })
    return text ? { text } : undefined
  }

  #continue(byte: number): Key | undefined {
    // The end or cancellation of a line also ends a sequence.
    if (byte === 0x03 || byte === 0x0d || byte === ESCAPE) {
      this.#sequence = undefined
      return this.read(byte)
    }
    const sequence = this.#sequence + String.fromCharCode(byte)
    const introduced = sequence[0] === '[' || sequence[0] === 'O'
    const ended = introduced ? sequence.length > 1 && byte >= 0x40 && byte <= 0x7e : true
    if (!ended && sequence.length < MAX_SEQUENCE) {
      this.#sequence = sequence
      return undefined
    }
    this.#sequence = undefined
    const key = sequences[sequence.replace(/^O/, '[')]
    if (key) return { key }
    // Unknown sequences are shown literally, like the marks around pasted text.
    return introduced ? { text: `^[${sequence}` } : undefined
  }
}
