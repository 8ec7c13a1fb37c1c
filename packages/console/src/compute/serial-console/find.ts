import { SearchAddon } from '@xterm/addon-search'
import type { Terminal } from '@xterm/xterm'
import { hasMod } from '../../ui/keyboard/shortcuts.ts'
import { readMatchColors, readTerminalTheme } from './terminal-theme.ts'

/** At most so many matches are counted and marked. */
export const MATCH_LIMIT = 10_000

/** Each mark makes writing a line slower: from this many on, they are removed during much output. */
const MANY_MARKS = 100
const MUCH_OUTPUT = 1024
const QUIET_MS = 300

/** Ctrl+F, which the guest does not get, or Cmd+F. */
export const asksToFind = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'f' && hasMod(event) && !event.shiftKey && !event.altKey

/** How many matches there are, and the index of the current one; -1 if it is not known. */
export type Found = { count: number; index: number }

export type Search = { text: string; matchCase: boolean }

const nothing: Search = { text: '', matchCase: false }

/** Looks for text in all that the terminal holds, beginning with the newest. */
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

  /** Searches for another text. */
  search(search: Search): void {
    this.#search = search
    this.#color()
    // Else the addon would not notice that only the case matters now.
    this.#unmark()
    // From the end: the user looks for the newest match.
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

  /** Marks would move with every new line: they are removed while much output arrives. */
  makeRoom(bytes: number): void {
    if (this.#quiet === undefined && (bytes < MUCH_OUTPUT || this.#marks < MANY_MARKS)) return
    this.#unmark()
    this.#quiet = setTimeout(() => this.#mark(), QUIET_MS)
  }

  /** Gives the terminal the colours of the page, as they are now. */
  paint(): void {
    this.#color()
    if (this.#marks === 0) return
    this.#unmark()
    this.#mark()
  }

  #color() {
    const theme = readTerminalTheme()
    const { text } = this.#search
    // The current match is selected.
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
