/** Colours and line patterns of charts, from the theme's tokens. */

/** In an order in which neighbours also differ for people with colour-blindness. */
const hues = ['--blue-solid', '--amber-solid', '--violet-solid', '--green-solid', '--red-solid']
/** Patterns distinguish series of one hue, and the first series without colour. */
const patterns: number[][] = [[], [6, 3], [2, 3], [10, 3, 2, 3]]

/** Hue and pattern of a series; both differ from its neighbours'. */
export const lookOf = (index: number): { hue: string; dash: number[] } => ({
  hue: hues[index % hues.length]!,
  dash: patterns[index % patterns.length]!,
})

/** Hue of bands, and the distance between hatching lines in pixels. */
export const BAND_HUE = '--red-solid'
export const BAND_STEP = 8

export type Colours = { of: (token: string) => string }

const forced = matchMedia('(forced-colors: active)')

/**
 * Colours of the current theme, or of the light one for printing.
 * @param element the element at which the tokens are read
 */
export function coloursFor(element: HTMLElement, printing: boolean): Colours {
  if (forced.matches) return { of: () => 'CanvasText' }
  if (!printing) {
    const style = getComputedStyle(element)
    return { of: (token) => style.getPropertyValue(token) }
  }
  const light = document.createElement('span')
  light.dataset.theme = 'light'
  light.hidden = true
  element.append(light)
  const style = getComputedStyle(light)
  const known = new Map(
    [...hues, '--line', '--text-tertiary', '--text-primary', '--surface-raised'].map((token) => [
      token,
      style.getPropertyValue(token),
    ]),
  )
  light.remove()
  return { of: (token) => known.get(token)! }
}
