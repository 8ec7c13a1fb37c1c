import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { default as Axe, RunOptions } from 'axe-core'
import { expect, type Page } from '@playwright/test'

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Findings of axe that the specification demands. */
const accepted: { rule: string; element: RegExp }[] = [
  // The specification names this button; it shows whose menu it is.
  { rule: 'label-content-name-mismatch', element: /aria-label="User menu"/ },
]

/** Elements that need not be inside a landmark: axe's own list, and what pops up over the page. */
const outsideOfLandmarks = [
  'dialog, [role=dialog], [role=alertdialog], svg',
  '[data-popup], [role=tooltip]',
].join(', ')

interface Violation {
  theme: string
  rule: string
  element: string
  summary: string
}

/** Runs in the page: every rule in the first theme, and those about colours in the second. */
async function violationsIn(regionMatcher: string): Promise<Violation[]> {
  const { axe } = globalThis as unknown as { axe: typeof Axe }
  axe.configure({ checks: [{ id: 'region', options: { regionMatcher } }] })
  // Finishes all animations and transitions.
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish()
  }
  const still = document.createElement('style')
  // A list that waits is pale until its next rows come, which may be in the middle of the check.
  still.textContent =
    '*, ::before, ::after { transition: none !important } .is-waiting { opacity: 1 !important }'
  document.head.append(still)
  const html = document.documentElement
  const theme = html.getAttribute('data-theme')!
  const runs: [string, RunOptions][] = [
    ['dark', { rules: { 'target-size': { enabled: true } } }],
    // A theme is colours and nothing else.
    ['light', { runOnly: ['color-contrast'] }],
  ]
  const found: Violation[] = []
  for (const [each, options] of runs) {
    html.setAttribute('data-theme', each)
    const { violations } = await axe.run({ ...options, resultTypes: ['violations'] })
    for (const { id, nodes } of violations) {
      for (const { html: element, failureSummary = '' } of nodes) {
        found.push({ theme: each, rule: id, element, summary: failureSummary })
      }
    }
  }
  html.setAttribute('data-theme', theme)
  // The colours are restored before transitions are allowed again.
  void getComputedStyle(html).color
  still.remove()
  return found
}

/** No rule of axe is broken by what is on the screen now, in either theme. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  const found = (await page.evaluate(violationsIn, outsideOfLandmarks)).filter(
    ({ rule, element }) =>
      !accepted.some((known) => known.rule === rule && known.element.test(element)),
  )
  expect(found, 'what axe objects to').toEqual([])
}

/** No content is cut off at the right, where users would not find it. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(overflow, 'pixels that stick out of the window').toBe(0)
}
