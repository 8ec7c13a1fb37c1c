/** Colours and line patterns of charts, from the tokens of the theme. */

const hues = ['--blue-solid', '--violet-solid', '--amber-solid', '--green-solid', '--red-solid']
/** Series of one hue are told apart by these, and so are the first ones without colour. */
const patterns: number[][] = [[], [6, 3], [2, 3], [10, 3, 2, 3]]

/** The hue and the pattern of a series: each differs from its neighbours in both. */
export const lookOf = (index: number): { hue: string; dash: number[] } => ({
  hue: hues[index % hues.length]!,
  dash: patterns[index % patterns.length]!,
})

/** Marked times: their hue, and how far the lines of their hatching are apart. Pixels. */
export const BAND_HUE = '--red-solid'
export const BAND_STEP = 8

export type Colours = { of: (token: string) => string }

const forced = matchMedia('(forced-colors: active)')

/**
 * The colours of the theme, or of the light one for paper.
 * @param element in whose place the tokens count
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
