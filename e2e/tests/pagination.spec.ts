import { expect, test } from '../support/test.ts'
import { heading, row } from '../support/ui.ts'

const name = (index: number) => `disk-${String(index).padStart(2, '0')}`

test('sixty disks are two pages', async ({ page, project, seed, consoleErrors }) => {
  await Promise.all(Array.from({ length: 60 }, (_, index) => seed.disk(project.name, name(index))))
  await page.goto(`/projects/${project.name}/disks`)
  const pagination = page.getByRole('navigation', { name: 'Pagination' })
  const next = pagination.getByRole('button', { name: 'next' })
  const prev = pagination.getByRole('button', { name: 'prev' })
  const rows = page.getByRole('table', { name: 'Disks' }).getByRole('link', { name: /^disk-/ })
  await expect(pagination).toContainText('rows per page 50')
  await expect(rows).toHaveCount(50)
  await expect(prev).toHaveAttribute('aria-disabled', 'true')
  // No disk is attached, so the column leaves its room to the names.
  const widthOf = async (header: string) =>
    (await page.getByRole('columnheader', { name: header }).boundingBox())!.width
  expect(await widthOf('Instance')).toBeLessThan(110)
  expect(await widthOf('name')).toBeGreaterThan(150)

  // The page stays, with a spinner, until the next rows are loaded.
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/\/v1\/disks\?.*page_token/, async (route) => {
    await held
    await route.continue()
  })
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await next.click()
  await expect(pagination.getByLabel('Spinner')).toBeVisible()
  await expect(row(page, name(49))).toBeVisible()
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(500)
  answer()
  await expect(rows).toHaveText(Array.from({ length: 10 }, (_, index) => name(50 + index)))
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  await expect(next).toHaveAttribute('aria-disabled', 'true')
  await expect(pagination.getByLabel('Spinner')).toBeHidden()

  // A reload, and the way back from another page, lead to the same rows.
  await page.reload()
  await expect(rows.first()).toHaveText(name(50))
  await page.getByRole('link', { name: 'Snapshots' }).click()
  await expect(heading(page, 'Snapshots')).toBeVisible()
  await page.goBack()
  await expect(rows.first()).toHaveText(name(50))
  await prev.click()
  await expect(rows.first()).toHaveText(name(0))
  await next.click()
  await expect(rows.first()).toHaveText(name(50))
  // Without a readable memory of it, or a token that is accepted, it begins at its first page.
  consoleErrors.expect(/400/)
  for (const isReadable of [false, true]) {
    await page.evaluate((keepsList) => {
      for (const [key, value] of Object.entries(sessionStorage)) {
        if (!key.startsWith('list-pages-')) continue
        const spoiled = keepsList ? JSON.stringify([JSON.parse(value)[0], 'gone']) : '{"page":'
        sessionStorage.setItem(key, spoiled)
      }
    }, isReadable)
    await page.goForward()
    await expect(heading(page, 'Snapshots')).toBeVisible()
    await page.goBack()
    await expect(rows.first()).toHaveText(name(0))
    await next.click()
    await expect(rows.first()).toHaveText(name(50))
  }

  // A visited page is shown at once, without the network.
  await page.route(/\/v1\/disks\?/, () => new Promise(() => {}))
  await prev.click()
  await expect(rows).toHaveCount(50)
  await expect(rows.first()).toHaveText(name(0))
  await expect(pagination.getByLabel('Spinner')).toBeHidden()
  await expect(prev).toHaveAttribute('aria-disabled', 'true')
})

test('nothing follows an exactly full last page @long', async ({ page, project, seed }) => {
  await Promise.all(Array.from({ length: 50 }, (_, index) => seed.disk(project.name, name(index))))
  await page.goto(`/projects/${project.name}/disks`)
  await expect(row(page, name(49))).toBeVisible()
  // The control plane's token leads to an empty page, which should not be offered.
  const empty = page.waitForResponse(/page_token/)
  await page.getByRole('button', { name: 'next', exact: true }).click()
  expect((await (await empty).json()).items).toEqual([])
  await expect(row(page, name(49))).toBeVisible()
  await expect(page.getByRole('button', { name: 'prev' })).toHaveAttribute('aria-disabled', 'true')
})

test('a list on one page has no paging controls @long', async ({ page, project, seed }) => {
  await seed.disk(project.name, 'sacks')
  await page.goto(`/projects/${project.name}/disks`)
  await expect(row(page, 'sacks')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Pagination' })).toHaveCount(0)
})
