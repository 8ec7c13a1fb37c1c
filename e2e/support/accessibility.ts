import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const themes = ['dark', 'light'] as const

/** What axe objects to and the product does on purpose. */
const accepted: { rule: string; element: RegExp }[] = [
  // The specification names this button; it shows whose menu it is.
  { rule: 'label-content-name-mismatch', element: /aria-label="User menu"/ },
  // The specification gives both lists of the sidebar the same name.
  { rule: 'landmark-unique', element: /aria-label="Sidebar navigation"/ },
  // What pops up over the page is not part of one of its regions.
  { rule: 'region', element: /role="(menu|listbox)"|^<div style="display: contents;">$/ },
]

async function violations(page: Page, rules?: string[]): Promise<string[]> {
  // Legacy mode looks at this page only, which has no frames, and opens no other.
  let axe = new AxeBuilder({ page }).setLegacyMode(true)
  if (rules) axe = axe.withRules(rules)
  const { violations: found } = await axe.analyze()
  return found.flatMap(({ id, nodes }) =>
    nodes
      .filter(
        ({ html }) => !accepted.some(({ rule, element }) => rule === id && element.test(html)),
      )
      .map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  )
}

/** No rule of axe is broken by what is on the screen now, in either theme. */
export async function expectAccessible(page: Page): Promise<void> {
  const theme = await page.locator('html').getAttribute('data-theme')
  // Colours that are on their way from one theme to the other belong to neither.
  const set = (value: string | null) =>
    page.evaluate(async (next) => {
      document.documentElement.setAttribute('data-theme', next!)
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      const moving = document.getAnimations().filter((each) => each instanceof CSSTransition)
      await Promise.allSettled(moving.map(({ finished }) => finished))
    }, value)
  for (const [index, value] of themes.entries()) {
    await set(value)
    // A theme is colours and nothing else.
    const found = await violations(page, index === 0 ? undefined : ['color-contrast'])
    expect(found, `axe in the ${value} theme`).toEqual([])
  }
  await set(theme)
}

/** Nothing is cut off at the right, where nobody would find it. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(overflow, 'pixels that stick out of the window').toBe(0)
}
