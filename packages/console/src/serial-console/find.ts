import { SearchAddon } from '@xterm/addon-search'
import type { Terminal } from '@xterm/xterm'
import { readMatchColors } from './terminal-theme.ts'

/** So many matches are counted and highlighted; more would say nothing and cost much. */
export const MATCH_LIMIT = 10_000

/** How many matches there are, and which of them is looked at, from 0; -1 if that is not known. */
export type Found = { count: number; index: number }

export type Search = { text: string; matchCase: boolean }

/** Looks for text in all that the terminal holds, beginning with the newest. */
export class Finder {
  #terminal: Terminal
  #addon = new SearchAddon({ highlightLimit: MATCH_LIMIT })
  #search: Search = { text: '', matchCase: false }

  constructor(terminal: Terminal, onFound: (found: Found) => void) {
    this.#terminal = terminal
    terminal.loadAddon(this.#addon)
    this.#addon.onDidChangeResults(({ resultCount, resultIndex }) =>
      onFound({ count: resultCount, index: resultIndex }),
    )
  }

  /** Something else is looked for. */
  search(search: Search): void {
    this.#search = search
    // From the end: the newest is what one looks for.
    this.#terminal.clearSelection()
    this.previous()
  }

  previous = (): void => {
    this.#addon.findPrevious(this.#search.text, this.#options())
  }

  next = (): void => {
    this.#addon.findNext(this.#search.text, this.#options())
  }

  /** Nothing is looked for any more, and nothing marked. */
  clear(): void {
    this.#search = { ...this.#search, text: '' }
    this.#addon.clearDecorations()
    this.#terminal.clearSelection()
  }

  /** The colours have become others. */
  repaint(): void {
    if (!this.#search.text) return
    this.#addon.clearDecorations()
    this.search(this.#search)
  }

  #options() {
    return { caseSensitive: this.#search.matchCase, decorations: readMatchColors() }
  }
}
