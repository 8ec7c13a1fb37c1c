import type { Key } from './keys.ts'
import { columnsOf } from './width.ts'

const BACK = '\b'
const ERASE_BELOW = '\x1b[J'
const BELL = '\x07'
/** Maximum characters of a line. */
const MAX_LINE = 256 * 1024
/** Maximum length of a line that can be edited in the middle: each such edit prints it again. */
export const MAX_EDITED = 4096

/** Keys that edit the line. */
export type EditKey = Exclude<
  Extract<Key, { key: unknown }>['key'],
  'enter' | 'interrupt' | 'end of input' | 'complete' | 'clear'
>

/**
 * Edits the current line. It only moves back and reprints, so that it depends neither on the width
 * of the terminal nor on the position of the line.
 */
export class LineEditor {
  #chars: string[] = []
  #cursor = 0
  #killed: string[] = []
  /** Position in the history, counted from its end; 0 is the new line. */
  #shown = 0
  #draft: string[] = []
  readonly #history: readonly string[]

  constructor(history: readonly string[]) {
    this.#history = history
  }

  get text(): string {
    return this.#chars.join('')
  }

  get beforeCursor(): string {
    return this.#chars.slice(0, this.#cursor).join('')
  }

  /** Continues a line that is already on the screen. */
  restore(text: string, back: number): void {
    this.#chars = [...text]
    this.#cursor = Math.max(0, this.#chars.length - back)
  }

  /**
   * Starts a new line.
   * @returns the text of the last one
   */
  take(): string {
    const { text } = this
    this.#chars = []
    this.#cursor = 0
    this.#shown = 0
    return text
  }

  /** Output that reprints the line after the prompt. */
  print(): string {
    return this.text + BACK.repeat(columnsOf(this.#chars.slice(this.#cursor)))
  }

  insert(text: string): string {
    const chars = [...text]
    if (this.#chars.length + chars.length > MAX_LINE) return BELL
    const rest = this.#chars.slice(this.#cursor)
    if (rest.length === 0) for (const char of chars) this.#chars.push(char)
    else this.#chars = [...this.#chars.slice(0, this.#cursor), ...chars, ...rest]
    this.#cursor += chars.length
    return text + rest.join('') + BACK.repeat(columnsOf(rest))
  }

  /** @returns the output for the terminal */
  press(key: EditKey): string {
    if (this.#chars.length > MAX_EDITED && key !== 'backspace') return BELL
    switch (key) {
      case 'left':
        return this.#moveTo(this.#cursor - 1)
      case 'right':
        return this.#moveTo(this.#cursor + 1)
      case 'home':
        return this.#moveTo(0)
      case 'end':
        return this.#moveTo(this.#chars.length)
      case 'word left':
        return this.#moveTo(this.#wordStart())
      case 'word right':
        return this.#moveTo(this.#wordEnd())
      case 'backspace':
        return this.#remove(this.#cursor - 1, this.#cursor)
      case 'delete':
        return this.#remove(this.#cursor, this.#cursor + 1)
      case 'kill to end':
        return this.#kill(this.#cursor, this.#chars.length)
      case 'kill to start':
        return this.#kill(0, this.#cursor)
      case 'kill word':
        return this.#kill(this.#wordStart(), this.#cursor)
      case 'yank':
        return this.insert(this.#killed.join(''))
      case 'up':
        return this.#show(this.#shown + 1)
      case 'down':
        return this.#show(this.#shown - 1)
    }
  }

  #wordStart(): number {
    let at = this.#cursor
    while (at > 0 && this.#chars[at - 1] === ' ') at--
    while (at > 0 && this.#chars[at - 1] !== ' ') at--
    return at
  }

  #wordEnd(): number {
    let at = this.#cursor
    while (at < this.#chars.length && this.#chars[at] === ' ') at++
    while (at < this.#chars.length && this.#chars[at] !== ' ') at++
    return at
  }

  #moveTo(to: number): string {
    const from = this.#cursor
    this.#cursor = Math.max(0, Math.min(this.#chars.length, to))
    return this.#cursor < from
      ? BACK.repeat(columnsOf(this.#chars.slice(this.#cursor, from)))
      : this.#chars.slice(from, this.#cursor).join('')
  }

  #remove(from: number, to: number): string {
    if (from < 0 || to > this.#chars.length || from === to) return ''
    const moved = this.#moveTo(from)
    this.#chars.splice(from, to - from)
    const rest = this.#chars.slice(from)
    return moved + rest.join('') + ERASE_BELOW + BACK.repeat(columnsOf(rest))
  }

  #kill(from: number, to: number): string {
    if (from === to) return ''
    this.#killed = this.#chars.slice(from, to)
    return this.#remove(from, to)
  }

  /** Replaces the current line by one of the history. */
  #show(which: number): string {
    if (which < 0 || which > this.#history.length) return ''
    if (this.#shown === 0) this.#draft = this.#chars
    this.#shown = which
    const back = this.#moveTo(0)
    this.#chars = which === 0 ? this.#draft : [...this.#history.at(-which)!]
    this.#cursor = this.#chars.length
    return back + this.text + ERASE_BELOW
  }
}
