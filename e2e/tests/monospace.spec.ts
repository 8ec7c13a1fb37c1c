import type { Locator } from '@playwright/test'
import { lines, openConsole, runningInstance, screen } from '../support/terminal.ts'
import { expect, test } from '../support/test.ts'

/** Text with possible ligatures. */
const TEXT = '[-4|-6|-br] != => <= |> -->'

/** Pixels of a text in the style of an element, drawn as a whole or by character. */
async function pixels(element: Locator, whole: boolean): Promise<Buffer> {
  const handle = await element.evaluateHandle(
    (place, { text, whole }) => {
      const sample = document.createElement('div')
      // At 20 px, character widths are whole pixels, so both samples have the same positions.
      sample.style.cssText =
        'position: fixed; inset: 0 auto auto 0; width: 400px; height: 32px; z-index: 9999;' +
        'font-size: 20px; line-height: 32px; white-space: pre; color: white; background: black'
      for (const part of whole ? [text] : text) {
        const span = document.createElement('span')
        span.style.display = 'inline-block'
        span.textContent = part
        sample.append(span)
      }
      place.append(sample)
      return sample
    },
    { text: TEXT, whole },
  )
  const sample = handle.asElement()!
  const picture = await sample.screenshot()
  await sample.evaluate((node) => node.remove())
  return picture
}

async function expectNoLigatures(element: Locator): Promise<void> {
  const [whole, characters] = [await pixels(element, true), await pixels(element, false)]
  expect(whole.equals(characters), 'each character is drawn as itself').toBe(true)
}

test('the serial console draws no ligatures @long', async ({ page, project, seed }) => {
  await runningInstance(project.name, seed)
  await openConsole(page)
  await expect(lines(page).first()).toBeVisible()
  await expectNoLigatures(screen(page).locator('.xterm-rows'))
})

test('queries are drawn without ligatures @long', async ({ page, project }) => {
  await page.goto(`/projects/${project.name}/metrics`)
  const editor = page.getByRole('textbox', { name: 'OxQL query' })
  await editor.fill(TEXT)
  await expectNoLigatures(page.locator('pre').filter({ hasText: TEXT }))
})
