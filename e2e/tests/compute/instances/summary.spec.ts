import { expect, test } from '../../../support/test.ts'
import { summary } from '../../../support/ui.ts'

test('the page begins with state, address and size, and on a phone with its tabs @long', async ({
  page,
  project,
  seed,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await seed.instance(project.name, 'wheel')
  await page.goto('/projects/mill/instances/wheel/storage')
  await expect(page.getByRole('heading', { level: 1, name: 'wheel' })).toBeVisible()
  await expect(summary(page)).toContainText(/^stopped.*2 vCPUs · 8 GiB$/)
  const tabs = (await page.getByRole('tablist').boundingBox())!
  expect(tabs.y + tabs.height).toBeLessThan(844 / 2)

  // Only the last breadcrumb and the way back are shown; the properties are one press away.
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link')
  await expect(crumbs).toHaveCount(2)
  await expect(crumbs.nth(0)).toHaveAccessibleName('Back to wheel')
  await expect(crumbs.nth(1)).toHaveText('Storage')
  const properties = page.getByLabel('Properties table')
  await expect(properties).toBeHidden()
  await page.getByRole('button', { name: 'Details' }).click()
  await expect(properties).toBeVisible()

  // On a desktop, where the properties are shown, the header does not repeat them.
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(summary(page)).toBeHidden()
  await expect(page.getByText('stopped', { exact: true }).filter({ visible: true })).toHaveCount(1)
  await page.getByRole('link', { name: 'Console', exact: true }).click()
  await expect(page).toHaveURL('/projects/mill/instances/wheel/serial-console')
})
