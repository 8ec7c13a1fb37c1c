import { cx } from './cx.ts'
import { tooltip } from './tooltip.tsx'

/** Texts up to this length fit nearly everywhere. */
const SHORT = 9
/** Names up to this length keep the last characters only. */
const MIDDLING = 15
const LAST = /[!-~]{5}$/

/** The last parts of a name from a separator on. */
const PARTS = /[-_.:/][!-~]{5,11}$/
/** The last characters of a name without such parts. */
const CHARACTERS = /[!-~]{8}$/

/**
 * The end of a name that stays visible where the name does not fit, as in `volume-…-2026-11-28`.
 * @param isName names have no spaces, unless the caller knows better
 * @returns undefined if the text is cut at its end
 */
export function keptEnd(text: string, isName = !/\s/.test(text)): string | undefined {
  if (!isName || text.length <= SHORT) return undefined
  if (text.length <= MIDDLING) return LAST.exec(text)?.[0]
  return (PARTS.exec(text) ?? CHARACTERS.exec(text))?.[0]
}

/**
 * Properties of an element with one line of text, and a tooltip while it does not fit. A name is
 * cut in the middle (`cut.css`): the style draws its two parts. The whole name is in the page, for
 * screen readers, for searching and for copying.
 */
export function cut(text: string, className?: string, isName?: boolean) {
  const end = keptEnd(text, isName)
  return {
    ...tooltip(text, 'truncated'),
    'data-start': end && text.slice(0, -end.length),
    'data-end': end,
    className: cx('truncate', end && 'cut', className),
    children: end ? <span>{text}</span> : text,
  }
}
