import { SearchAddon } from '@xterm/addon-search'
import type { Terminal } from '@xterm/xterm'
import { hasMod } from '../../ui/keyboard/shortcuts.ts'
import { readMatchColors, readTerminalTheme } from './terminal-theme.ts'

/** Maximum number of matches counted and marked. */
export const MATCH_LIMIT = 10_000

/** Marks slow down writing lines: with this many, they are removed during heavy output. */
const MANY_MARKS = 100
const MUCH_OUTPUT = 1024
const QUIET_MS = 300

/** Whether the key is Ctrl+F, which is withheld from the guest, or Cmd+F. */
export const asksToFind = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'f' && hasMod(event) && !event.shiftKey && !event.altKey

/** The number of matches, and the index of the current one; -1 if unknown. */
export type Found = { count: number; index: number }

export type Search = { text: string; matchCase: boolean }

const nothing: Search = { text: '', matchCase: false }

/** Searches the terminal's buffer, newest match first. */
export class Finder {
  #terminal: Terminal
  #addon = new SearchAddon({ highlightLimit: MATCH_LIMIT })
  #search = nothing
  #marks = 0
  #quiet: ReturnType<typeof setTimeout> | undefined

  constructor(terminal: Terminal, onFound: (found: Found) => void) {
    this.#terminal = terminal
    terminal.loadAddon(this.#addon)
    this.#addon.onDidChangeResults(({ resultCount, resultIndex }) => {
      this.#marks = resultCount
      onFound({ count: resultCount, index: resultIndex })
    })
  }

  /** Starts a new search at the newest match. */
  search(search: Search): void {
    this.#search = search
    this.#color()
    // Otherwise the addon ignores a change of case sensitivity alone.
    this.#unmark()
    // Starts at the end, at the newest match.
    this.#terminal.clearSelection()
    this.previous()
  }

  previous = (): void => {
    this.#addon.findPrevious(this.#search.text, this.#options())
  }

  next = (): void => {
    this.#addon.findNext(this.#search.text, this.#options())
  }

  /** Ends the search and removes the marks. */
  clear(): void {
    this.#search = nothing
    this.#unmark()
    this.#terminal.clearSelection()
    this.#color()
  }

  /** Removes marks during heavy output: they would move with every new line. */
  makeRoom(bytes: number): void {
    if (this.#quiet === undefined && (bytes < MUCH_OUTPUT || this.#marks < MANY_MARKS)) return
    this.#unmark()
    this.#quiet = setTimeout(() => this.#mark(), QUIET_MS)
  }

  /** Applies the current colours of the page to the terminal. */
  paint(): void {
    this.#color()
    if (this.#marks === 0) return
    this.#unmark()
    this.#mark()
  }

  #color() {
    const theme = readTerminalTheme()
    const { text } = this.#search
    // The current match is the selection, so it gets the selection colours.
    const background = text && readMatchColors().activeMatchBackground
    this.#terminal.options.theme = background
      ? {
          ...theme,
          selectionForeground: theme.foreground,
          selectionBackground: background,
          selectionInactiveBackground: background,
        }
      : theme
  }

  #unmark() {
    clearTimeout(this.#quiet)
    this.#quiet = undefined
    this.#marks = 0
    this.#addon.clearDecorations()
  }

  /** Marks the matches again without scrolling. */
  #mark() {
    this.#quiet = undefined
    const { active } = this.#terminal.buffer
    const atEnd = active.viewportY === active.baseY
    const line = active.viewportY
    this.#addon.findPrevious(this.#search.text, { ...this.#options(), incremental: true })
    if (atEnd) this.#terminal.scrollToBottom()
    else this.#terminal.scrollToLine(line)
  }

  #options() {
    return { caseSensitive: this.#search.matchCase, decorations: readMatchColors() }
  }
}
