import { FitAddon } from '@xterm/addon-fit'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { copyText, readClipboard } from '../../ui/clipboard.ts'
import { isApple, isWindows } from '../../ui/keyboard/shortcuts.ts'
import { errorToast } from '../../ui/toasts.tsx'
import type { ConsoleConnection } from './connection.ts'
import { asksToFind, Finder, type Found } from './find.ts'
import { onThemeChange } from '../../ui/theme-change.ts'
import { readTerminalTheme } from './terminal-theme.ts'

const FONT = '"JetBrains Mono Variable", ui-monospace, monospace'

/** Lines of scrollback. */
const SCROLLBACK = 5000
/** Beyond this number of lines, rewrapping at each step of a resize is too slow. */
const MANY_LINES = 5000
const RESIZE_PAUSE = 100

const encoder = new TextEncoder()

const isKey = (event: KeyboardEvent, key: string) => event.key.toLowerCase() === key

/** Ctrl+C belongs to the guest unless text is selected; on a Mac always. */
const copies = (event: KeyboardEvent, selected: boolean) =>
  isKey(event, 'insert')
    ? event.ctrlKey && !event.shiftKey
    : isKey(event, 'c') &&
      (event.metaKey || (event.ctrlKey && (event.shiftKey || (selected && !isApple))))

/** Keys that the browser turns into a paste if the terminal does not handle them. */
const pastes = (event: KeyboardEvent) =>
  isKey(event, 'v') && (event.metaKey || (event.ctrlKey && (event.shiftKey || isWindows)))

export type ConsoleTerminal = {
  focus: () => void
  scrollToTop: () => void
  scrollToBottom: () => void
  /** The selected text, or else the text on the screen. */
  copy: () => Promise<void>
  paste: () => Promise<void>
  finder: Finder
  dispose: () => void
}

export type TerminalEvents = {
  onCopy: () => void
  onSelect: (selected: boolean) => void
  onFind: () => void
  onFound: (found: Found) => void
  /** Called for Ctrl+F6: all other keys go to the guest, and keyboard users need a way out. */
  onLeave: () => void
}

/** Creates the terminal: fits it to its element, connects it, and applies the page's theme. */
export function createTerminal(
  place: HTMLElement,
  connection: ConsoleConnection,
  events: TerminalEvents,
): ConsoleTerminal {
  const terminal = new Terminal({
    allowTransparency: false,
    // Required by decorations, which mark matches, and by widths of characters.
    allowProposedApi: true,
    drawBoldTextInBrightColors: true,
    fontFamily: FONT,
    fontSize: 13,
    fontWeightBold: 400,
    lineHeight: 1,
    // Guests assume a dark screen; the contrast keeps their colours readable on a light one.
    minimumContrastRatio: 4.5,
    screenReaderMode: true,
    scrollback: SCROLLBACK,
    theme: readTerminalTheme(),
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  // Characters are as wide as guests take them to be: emoji have two cells since Unicode 9.
  terminal.loadAddon(new Unicode11Addon())
  terminal.unicode.activeVersion = '11'
  const onSelect = () => events.onSelect(terminal.hasSelection())
  const finder = new Finder(terminal, (found) => {
    events.onFound(found)
    // A match gets selected, but xterm does not always emit an event for it.
    onSelect()
  })
  terminal.open(place)
  fit.fit()

  const copy = async (text: string, options?: { quiet: boolean }) => {
    if (await copyText(text, options)) events.onCopy()
  }
  const copySelection = (options?: { quiet: boolean }) => {
    if (terminal.hasSelection()) void copy(terminal.getSelection(), options)
  }
  terminal.attachCustomKeyEventHandler((event) => {
    const pressed = event.type === 'keydown'
    if (event.key === 'F6' && event.ctrlKey) {
      if (pressed) events.onLeave()
      return false
    }
    if (asksToFind(event)) {
      event.preventDefault()
      if (pressed) events.onFind()
      return false
    }
    if (pastes(event)) return false
    if (connection.snapshot().status !== 'open' && !copies(event, true)) {
      if (pressed && scroll(terminal, event)) event.preventDefault()
      return false
    }
    if (!copies(event, terminal.hasSelection())) return true
    if (pressed) {
      copySelection()
      event.preventDefault()
      terminal.clearSelection()
    }
    return false
  })
  // Copies a mouse selection when it is finished.
  const onPointerUp = () => setTimeout(copySelection, 0, { quiet: true })
  place.addEventListener('pointerup', onPointerUp)
  terminal.onSelectionChange(onSelect)

  const type = (keys: Uint8Array<ArrayBuffer>) => {
    if (connection.send(keys)) return
    errorToast('Text not sent', 'The instance takes its input too slowly for so much text')
  }
  terminal.onData((text) => type(encoder.encode(text)))
  terminal.onBinary((text) => type(Uint8Array.from(text, (char) => char.charCodeAt(0))))
  const detach = connection.attach({
    write(data, done) {
      finder.makeRoom(data.length)
      terminal.write(data, done)
    },
    reset: () => terminal.reset(),
  })

  let fitting: ReturnType<typeof setTimeout> | undefined
  const resizing = new ResizeObserver(() => {
    clearTimeout(fitting)
    if (terminal.buffer.normal.length < MANY_LINES) fit.fit()
    else fitting = setTimeout(() => fit.fit(), RESIZE_PAUSE)
  })
  resizing.observe(place)
  const stopTheme = onThemeChange(() => finder.paint())

  return {
    focus: () => terminal.focus(),
    scrollToTop: () => terminal.scrollToTop(),
    scrollToBottom: () => terminal.scrollToBottom(),
    copy: () => copy(terminal.hasSelection() ? terminal.getSelection() : screenText(terminal)),
    async paste() {
      terminal.paste(await readClipboard())
      terminal.focus()
    },
    finder,
    dispose() {
      clearTimeout(fitting)
      finder.clear()
      stopTheme()
      resizing.disconnect()
      detach()
      place.removeEventListener('pointerup', onPointerUp)
      terminal.dispose()
    },
  }
}

/** Scrolls by keys not sent to the guest. @returns whether the key is one of them */
function scroll(terminal: Terminal, { key }: KeyboardEvent): boolean {
  if (key === 'PageUp' || key === 'PageDown') terminal.scrollPages(key === 'PageUp' ? -1 : 1)
  else if (key === 'ArrowUp' || key === 'ArrowDown')
    terminal.scrollLines(key === 'ArrowUp' ? -1 : 1)
  else if (key === 'Home') terminal.scrollToTop()
  else if (key === 'End') terminal.scrollToBottom()
  else return false
  return true
}

/** The text on the screen, with wrapped lines joined. */
function screenText({ buffer: { active }, rows }: Terminal): string {
  let text = ''
  for (let row = active.viewportY; row < active.viewportY + rows; row++) {
    const line = active.getLine(row)
    const continues = active.getLine(row + 1)?.isWrapped
    if (line) text += line.translateToString(!continues) + (continues ? '' : '\n')
  }
  return text.trimEnd()
}

/** Resolves once the font is loaded: the terminal measures it only once. */
export const terminalFontLoaded = (): Promise<unknown> =>
  Promise.race([
    document.fonts.load(`13px ${FONT}`),
    new Promise((resolve) => setTimeout(resolve, 1500)),
  ]).catch(() => {})
