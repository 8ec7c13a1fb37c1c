import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import type { ConsoleConnection } from './connection.ts'
import { onThemeChange, readTerminalTheme } from './terminal-theme.ts'

const FONT = '"JetBrains Mono Variable", ui-monospace, monospace'

const encoder = new TextEncoder()

/** Ctrl+C stays the terminal's own unless something is selected, as elsewhere. */
const copies = ({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent, selected: boolean) =>
  (key.toLowerCase() === 'c' && (metaKey || (ctrlKey && (shiftKey || selected)))) ||
  (key === 'Insert' && ctrlKey)

export type ConsoleTerminal = {
  focus: () => void
  scrollToTop: () => void
  scrollToBottom: () => void
  dispose: () => void
}

type Options = {
  onCopy: () => void
  /** Ctrl+F6: every other key belongs to the guest, and nobody may be locked in. */
  onLeave: () => void
}

/** The terminal in its place: fitted to it, fed by the connection, in the colours of the page. */
export function createTerminal(
  place: HTMLElement,
  connection: ConsoleConnection,
  { onCopy, onLeave }: Options,
): ConsoleTerminal {
  const terminal = new Terminal({
    allowTransparency: false,
    drawBoldTextInBrightColors: true,
    fontFamily: FONT,
    fontSize: 13,
    fontWeightBold: 400,
    lineHeight: 1,
    // Guests expect a dark screen; what they colour stays readable on a light one.
    minimumContrastRatio: 4.5,
    screenReaderMode: true,
    scrollback: 5000,
    theme: readTerminalTheme(),
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.open(place)
  fit.fit()

  const copy = () => {
    if (!terminal.hasSelection()) return
    void navigator.clipboard?.writeText(terminal.getSelection()).then(onCopy, () => {})
  }
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.key === 'F6' && event.ctrlKey) {
      if (event.type === 'keydown') onLeave()
      return false
    }
    if (!copies(event, terminal.hasSelection())) return true
    if (event.type === 'keydown') {
      copy()
      event.preventDefault()
      terminal.clearSelection()
    }
    return false
  })
  // A selection made with the mouse is copied when it is finished.
  const onPointerUp = () => setTimeout(copy)
  place.addEventListener('pointerup', onPointerUp)

  terminal.onData((text) => connection.send(encoder.encode(text)))
  terminal.onBinary((text) => connection.send(Uint8Array.from(text, (char) => char.charCodeAt(0))))
  const detach = connection.attach({
    write: (data) => terminal.write(data),
    reset: () => terminal.reset(),
  })

  const resizing = new ResizeObserver(() => fit.fit())
  resizing.observe(place)
  const stopTheme = onThemeChange(() => {
    terminal.options.theme = readTerminalTheme()
  })

  return {
    focus: () => terminal.focus(),
    scrollToTop: () => terminal.scrollToTop(),
    scrollToBottom: () => terminal.scrollToBottom(),
    dispose() {
      stopTheme()
      resizing.disconnect()
      detach()
      place.removeEventListener('pointerup', onPointerUp)
      terminal.dispose()
    },
  }
}

/** The terminal measures its font once: it has to be there by then. */
export const terminalFontLoaded = (): Promise<unknown> =>
  Promise.race([
    document.fonts.load(`13px ${FONT}`),
    new Promise((resolve) => setTimeout(resolve, 1500)),
  ]).catch(() => {})
