import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { expect, test } from '../support/test.ts'

test('the documentation is linked from a page, searched by keyboard, and accessible', async ({
  page,
  context,
}) => {
  await page.goto('/projects')
  await page.getByRole('button', { name: 'Learn about projects' }).click()
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Read more in the docs' }).click()
  const docs = await opened
  await expect(docs.getByRole('heading', { level: 1, name: 'Projects' })).toBeVisible()
  await expect(docs.getByRole('link', { name: 'Projects', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  )
  // A script that runs after the page has loaded handles the keyboard.
  await docs.waitForLoadState()
  await docs.keyboard.press('/')
  const search = docs.getByRole('combobox', { name: 'Search the documentation' })
  await expect(search).toBeFocused()
  await docs.keyboard.type('serial console')
  const results = docs.getByRole('listbox', { name: 'Search results' })
  await expect(results.getByRole('option').first()).toHaveText(/^Serial console/)
  await expectAccessible(docs)
  await docs.keyboard.press('Enter')
  await expect(docs).toHaveURL(/\/docs\/instances\.html#serial-console$/)
  await expect(docs.getByRole('heading', { name: 'Serial console' })).toBeInViewport()
  await docs.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(docs)
})
