import type { ISearchDecorationOptions } from '@xterm/addon-search'
import type { ITheme } from '@xterm/xterm'

const bright = (token: string) => `color-mix(in oklch, var(${token}) 65%, var(--text-primary))`

/** The colours of the terminal, as CSS design tokens. */
const colors = {
  background: 'var(--surface-page)',
  foreground: 'var(--text-primary)',
  cursor: 'var(--accent-text)',
  cursorAccent: 'var(--surface-page)',
  selectionBackground: 'color-mix(in oklch, var(--accent-solid) 45%, var(--surface-page))',
  selectionInactiveBackground: 'var(--accent-surface)',
  scrollbarSliderBackground: 'var(--line-strong)',
  scrollbarSliderHoverBackground: 'var(--line-control)',
  scrollbarSliderActiveBackground: 'var(--line-control)',
  black: 'var(--line-strong)',
  red: 'var(--red-text)',
  green: 'var(--green-text)',
  yellow: 'var(--amber-text)',
  blue: 'var(--blue-text)',
  magenta: 'var(--violet-text)',
  cyan: 'color-mix(in oklch, var(--green-text), var(--blue-text))',
  white: 'var(--text-secondary)',
  brightBlack: 'var(--text-tertiary)',
  brightRed: bright('--red-text'),
  brightGreen: bright('--green-text'),
  brightYellow: bright('--amber-text'),
  brightBlue: bright('--blue-text'),
  brightMagenta: bright('--violet-text'),
  brightCyan: 'color-mix(in oklch, var(--green-text), var(--text-primary))',
  brightWhite: 'var(--text-primary)',
} as const satisfies ITheme

/** The colours of all matches, and of the current one. */
const matchColors = {
  matchBackground: 'color-mix(in oklch, var(--amber-solid) 24%, var(--surface-page))',
  matchOverviewRuler: 'var(--amber-solid)',
  activeMatchBackground: 'color-mix(in oklch, var(--amber-solid) 46%, var(--surface-page))',
  activeMatchBorder: 'var(--text-primary)',
  activeMatchColorOverviewRuler: 'var(--text-primary)',
} as const satisfies ISearchDecorationOptions

const hex = (value: number) => value.toString(16).padStart(2, '0')

/** Resolves tokens to their current colours, in a notation the terminal parses. */
function resolved<Name extends string>(wanted: Record<Name, string>): Record<Name, string> {
  const probe = document.createElement('span')
  probe.hidden = true
  document.body.append(probe)
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!
  const resolve = (color: string) => {
    probe.style.color = color
    canvas.fillStyle = getComputedStyle(probe).color
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
    return `#${hex(red)}${hex(green)}${hex(blue)}`
  }
  const colors = Object.entries<string>(wanted).map(([name, color]) => [name, resolve(color)])
  probe.remove()
  return Object.fromEntries(colors)
}

export const readTerminalTheme = (): ITheme => resolved(colors)

export const readMatchColors = (): ISearchDecorationOptions => resolved(matchColors)
