/** The console at a host name without TLS, where browsers offer no Clipboard API. */
import type { Page } from '@playwright/test'
import { openConsole, runningInstance } from '../support/terminal.ts'
import { expect, test } from '../support/test.ts'
import { dialog, rowAction } from '../support/ui.ts'

test.use({
  baseURL: async ({ host }, use) => use(host.url.replace('127.0.0.1', 'cloud.test')),
})
test.beforeEach(async ({ page, session, baseURL }) => {
  await page.context().addCookies([{ name: 'session', value: session, url: baseURL! }])
})

/** Pastes the clipboard into a field of the page, by the keyboard. */
async function pasted(page: Page): Promise<string> {
  await page.evaluate(() => {
    const field = document.createElement('textarea')
    field.id = 'pasted'
    document.body.append(field)
    field.focus()
  })
  await page.keyboard.press('Control+v')
  return page.evaluate(() => {
    const field = document.querySelector<HTMLTextAreaElement>('#pasted')!
    field.remove()
    return field.value
  })
}

test.beforeEach(({ consoleErrors }) => {
  consoleErrors.expect(/Cross-Origin-Opener-Policy header has been ignored/)
})

test('a text of a list is copied', async ({ page, seed }) => {
  const { id } = await seed.project('mill')
  await page.goto('/projects')
  expect(await page.evaluate(() => [isSecureContext, typeof navigator.clipboard])).toEqual([
    false,
    'undefined',
  ])
  await rowAction(page, 'mill', 'Copy ID')
  expect(await pasted(page)).toBe(id)
})

test('texts of a console are copied, which is reported only after a success @long', async ({
  page,
  project,
  seed,
}) => {
  await runningInstance(project.name, seed)
  await openConsole(page)
  await page.getByRole('button', { name: 'Copy screen' }).click()
  await expect(page.getByText('Copied')).toBeVisible()
  expect(await pasted(page)).toContain('wheel:~#')
  await page.getByRole('button', { name: 'CLI Command' }).click()
  const command = dialog(page, 'CLI command')
  await command.getByRole('button', { name: 'Copy command' }).click()
  await expect(command.getByRole('button', { name: 'Copied' })).toBeVisible()

  // Some browsers refuse that, too.
  await page.evaluate(() => (document.execCommand = () => false))
  await expect(command.getByRole('button', { name: 'Copy command' })).toBeVisible()
  await command.getByRole('button', { name: 'Copy command' }).click()
  const help = command.getByRole('alert')
  await expect(help).toContainText('Could not copy: press Ctrl+C')
  await expect(help.getByRole('textbox')).toBeFocused()
  await expect(command.getByRole('button', { name: 'Copied' })).toBeHidden()
  await page.keyboard.press('Control+c')
  await expect(help).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(command).toBeHidden()
  expect(await pasted(page)).toMatch(/instance serial console --project mill --instance wheel$/)
})
