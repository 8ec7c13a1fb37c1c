import { FAILED_REQUEST, fail, missing } from '../../support/faults.ts'
import { expect, test } from '../../support/test.ts'
import { heading, row } from '../../support/ui.ts'

const failures = [404, 500]
/** One status stands for the others in `npm test`. */
const tagOf = (status: number) => ({ tag: status === 500 ? [] : ['@long'] })

test.beforeEach(({ consoleErrors }) => {
  consoleErrors.expect(/status of (404|403|500)|API error|ApiError/)
})

for (const status of failures) {
  test(
    `a list that answers ${status} shows that in its place, and is retried`,
    tagOf(status),
    async ({ page, project }) => {
      const mend = await fail(page, /\/x?\/?v1\/projects\?/, status)
      await page.goto('/projects')
      await expect(heading(page, 'Projects')).toBeVisible()
      await expect(missing(page)).toContainText('The projects could not be loaded')
      await expect(missing(page)).toContainText(FAILED_REQUEST)
      await expect(page.getByText('Page not found')).toBeHidden()
      mend()
      await missing(page).getByRole('button', { name: 'Try again' }).click()
      await expect(row(page, project.name)).toBeVisible()
      await expect(missing(page)).toBeHidden()
    },
  )
}

test('a refused list is not an error, and names the people to ask', async ({ page, project }) => {
  const mend = await fail(page, /\/x\/?\/?v1\/projects\?/, 403)
  await page.goto('/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  await expect(missing(page)).toContainText('No access yet')
  await expect(missing(page)).toContainText('administrators of the silo can give you one: admin')
  await missing(page).getByText('Details').click()
  await expect(missing(page)).toContainText(FAILED_REQUEST)
  mend()
  await page.reload()
  await expect(row(page, project.name)).toBeVisible()
})

test('a refused system list refers to the fleet @long', async ({ page }) => {
  await fail(page, /\/x?\/?v1\/system\/silos\?/, 403)
  await page.goto('/system/silos')
  await expect(missing(page)).toContainText('No access yet')
  await expect(missing(page)).toContainText('An administrator of the fleet can give you one.')
})

for (const status of [...failures, 403]) {
  test(
    `a list of jobs that answers ${status} does not affect the page`,
    tagOf(status),
    async ({ page, project }) => {
      await fail(page, /\/x\/v1\/jobs/, status)
      await page.goto('/projects')
      await expect(row(page, project.name)).toBeVisible()
      await expect(page.getByRole('button', { name: 'Jobs' })).toBeVisible()
    },
  )
}

test('an instance is shown without its addresses and interfaces, which can be reloaded @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.instance(project.name, 'wheel')
  const mend = await fail(page, /\/v1\/(instances\/wheel\/external-ips|network-interfaces)/)
  await page.goto('/projects/mill/instances/wheel/storage')
  await expect(heading(page, 'wheel')).toBeVisible()
  await expect(page.getByText('No boot disk set')).toBeVisible()
  const again = page.getByRole('button', { name: 'Not loaded' })
  // In the head, and among the details.
  await expect(again).toHaveCount(1)
  await page.getByRole('button', { name: 'Details', exact: true }).click()
  await expect(again).toHaveCount(3)
  mend()
  await again.first().click()
  await expect(again).toHaveCount(1)
  // A tab that needs them shows the error in its place.
  await fail(page, /\/v1\/(instances\/wheel\/external-ips|network-interfaces)/)
  await page.getByRole('tab', { name: 'Networking' }).click()
  await expect(missing(page)).toContainText('“Networking” could not be loaded')
  await expect(heading(page, 'wheel')).toBeVisible()
  await page.getByRole('tab', { name: 'Storage' }).click()
  await expect(page.getByText('No boot disk set')).toBeVisible()
})

test('a later page that fails to load leaves the existing rows @long', async ({
  page,
  project,
  seed,
}) => {
  await Promise.all(
    Array.from({ length: 60 }, (_, index) => seed.disk(project.name, `disk-${index + 10}`)),
  )
  await page.goto('/projects/mill/disks')
  await expect(row(page, 'disk-59')).toBeVisible()
  const mend = await fail(page, /disks\?.*page_token/)
  await page.getByRole('button', { name: 'next', exact: true }).click()
  const banner = page.getByRole('alert').filter({ hasText: 'It has come loose' })
  await expect(banner).toBeVisible()
  await expect(row(page, 'disk-10')).toBeVisible()
  mend()
  await banner.getByRole('button', { name: 'Try again' }).click()
  await expect(row(page, 'disk-60')).toBeVisible()
  await expect(banner).toBeHidden()
})
