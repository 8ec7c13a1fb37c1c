import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { default as Axe } from 'axe-core'
import { expect, type Page } from '@playwright/test'

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Violations of axe rules that the specification requires. */
const accepted: { rule: string; element: RegExp }[] = [
  // The specification names this button; its text is the user.
  { rule: 'label-content-name-mismatch', element: /aria-label="User menu"/ },
  // Named by the specification; the second line is its description.
  { rule: 'label-content-name-mismatch', element: /role="menuitem" aria-label="(System|Silo)"/ },
]

/** Elements allowed outside of landmarks: axe's own list, and popups over the page. */
const outsideOfLandmarks = [
  'dialog, [role=dialog], [role=alertdialog], svg',
  '[data-popup], [role=tooltip]',
].join(', ')

interface Violation {
  rule: string
  element: string
  summary: string
}

/**
 * Runs in the page: whether all dialogs are drawn. After the window has been resized, their library
 * keeps them transparent until it knows whether an on-screen keyboard opens, and axe would take
 * them for hidden.
 */
const dialogsAreDrawn = (): boolean =>
  [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].every((dialog) =>
    dialog.checkVisibility({ opacityProperty: true }),
  )

/** Runs in the page: checks every rule in the current theme. */
async function violationsIn(regionMatcher: string): Promise<Violation[]> {
  const { axe } = globalThis as unknown as { axe: typeof Axe }
  axe.configure({ checks: [{ id: 'region', options: { regionMatcher } }] })
  // Completes all animations and transitions.
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish()
  }
  const still = document.createElement('style')
  // A waiting list is dimmed until its next rows arrive, possibly during the check.
  still.textContent =
    '*, ::before, ::after { transition: none !important } .is-waiting { opacity: 1 !important }'
  document.head.append(still)
  const { violations } = await axe.run({
    rules: { 'target-size': { enabled: true } },
    resultTypes: ['violations'],
  })
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html: element, failureSummary = '' }) => ({
      rule: id,
      element,
      summary: failureSummary,
    })),
  )
  // Computes the styles before transitions are enabled again.
  void getComputedStyle(document.documentElement).color
  still.remove()
  return found
}

/** Minimum text size in pixels. */
const LEAST_TEXT = 12
/** Ambiguous names, which many buttons of a page would share. */
const bareNames = ['Actions', 'Copy']

/** Runs in the page: finds texts that are too small, and buttons with ambiguous names. */
function faultsIn({ least, bare }: { least: number; bare: readonly string[] }): string[] {
  const scales = new Map<Element, number>()
  // A transform changes the drawn size.
  const scaleOf = (element: Element): number => {
    const known = scales.get(element)
    if (known !== undefined) return known
    const { transform } = getComputedStyle(element)
    const own = transform === 'none' ? 1 : new DOMMatrix(transform).a
    const scale = own * (element.parentElement ? scaleOf(element.parentElement) : 1)
    scales.set(element, scale)
    return scale
  }
  const found: string[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement
    if (!element || walker.currentNode.textContent!.trim() === '') continue
    if (!element.checkVisibility({ visibilityProperty: true })) continue
    const box = element.getBoundingClientRect()
    const size = Number.parseFloat(getComputedStyle(element).fontSize) * scaleOf(element)
    // Tolerates rounding, and ignores texts for screen readers only, which are a pixel wide.
    if (size < least - 0.2 && box.width > 1) {
      found.push(`${size.toFixed(1)} px: ${element.outerHTML.slice(0, 200)}`)
    }
  }
  for (const button of document.querySelectorAll('button, [role=button]')) {
    const name = (button.getAttribute('aria-label') ?? button.textContent ?? '').trim()
    if (bare.includes(name)) found.push(`named ${name}: ${button.outerHTML.slice(0, 200)}`)
  }
  return found
}

/**
 * Expects no violation of axe's rules on the screen in its theme, and legible texts. Each page is
 * checked in one theme; `pages.spec.ts` covers half of the pages in each.
 */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  await expect.poll(() => page.evaluate(dialogsAreDrawn), 'all dialogs are drawn').toBe(true)
  const found = (await page.evaluate(violationsIn, outsideOfLandmarks)).filter(
    ({ rule, element }) =>
      !accepted.some((known) => known.rule === rule && known.element.test(element)),
  )
  expect(found, 'what axe objects to').toEqual([])
  const faults = await page.evaluate(faultsIn, { least: LEAST_TEXT, bare: bareNames })
  expect(faults, 'texts that are too small, and buttons without names of their own').toEqual([])
}

/** Expects no content beyond the right edge, where users would not find it. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(overflow, 'pixels that stick out of the window').toBe(0)
}
