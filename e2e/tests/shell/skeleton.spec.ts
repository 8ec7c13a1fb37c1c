import { intercept } from '../../support/faults.ts'
import { expect, test } from '../../support/test.ts'
import { heading } from '../../support/ui.ts'
import type { Page } from '@playwright/test'

const skeleton = (page: Page) => page.locator('.shell-skeleton')
const sidebarWidth = (page: Page) =>
  skeleton(page).evaluate((frame) => frame.children[1]!.getBoundingClientRect().width)

test.use({ ownContext: true })

test('the frame is sketched before the code has come, as wide as the user likes it', async ({
  page,
}) => {
  await page.goto('/projects')
  await page.getByRole('button', { name: 'Collapse sidebar' }).click()
  let send = () => {}
  const held = new Promise<void>((resolve) => (send = resolve))
  await intercept(page, /\/assets\/index-.*\.js/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/projects', { waitUntil: 'commit' })
  await expect(skeleton(page)).toBeVisible()
  expect(await sidebarWidth(page)).toBe(56)
  send()
  await expect(heading(page, 'Projects')).toBeVisible()
  await expect(skeleton(page)).toHaveCount(0)
})

test('pages to sign in have no frame to sketch @long', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/ERR_FAILED/)
  await intercept(page, /\/assets\/index-.*\.js/, (route) => route.abort())
  await page.goto('/login/main/local')
  await expect(skeleton(page)).toBeAttached()
  await expect(skeleton(page)).toBeHidden()
})
