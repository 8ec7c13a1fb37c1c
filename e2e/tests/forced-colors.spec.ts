import type { Locator } from '@playwright/test'
import { expect, test } from '../support/test.ts'
import { openRowActions } from '../support/ui.ts'

test.use({ contextOptions: { forcedColors: 'active' } })

/** Borders and colors that the browser draws for an element. */
const drawn = (element: Locator) =>
  element.evaluate((node) => {
    const { outlineStyle, backgroundColor } = getComputedStyle(node)
    return { outlined: outlineStyle === 'solid', backgroundColor }
  })

test('selected rows, checked boxes and the current page are distinguishable', async ({
  page,
  project,
  seed,
}) => {
  await seed.disk(project.name, 'sacks')
  await seed.disk(project.name, 'wheels')
  await page.goto('/projects/mill/disks')
  const box = page.getByRole('checkbox', { name: 'Select sacks' })
  await box.check()
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  expect((await drawn(row('sacks'))).outlined).toBe(true)
  expect((await drawn(row('wheels'))).outlined).toBe(false)
  const other = page.getByRole('checkbox', { name: 'Select wheels' })
  expect((await drawn(box)).backgroundColor).not.toBe((await drawn(other)).backgroundColor)
  const navigation = page.getByRole('navigation', { name: 'Sidebar navigation' })
  const link = (name: string) => navigation.getByRole('link', { name, exact: true })
  expect((await drawn(link('Disks'))).outlined).toBe(true)
  expect((await drawn(link('Instances'))).outlined).toBe(false)
})

test('a chosen card is distinguishable @long', async ({ page, project }) => {
  await page.goto(`/projects/${project.name}/instances-new`)
  const card = (name: string) =>
    page.locator('label').filter({ has: page.getByRole('radio', { name }) })
  await page.getByRole('radio', { name: '4 CPU 16 gibibytes RAM' }).check()
  expect((await drawn(card('4 CPU 16 gibibytes RAM'))).outlined).toBe(true)
  expect((await drawn(card('8 CPU 32 gibibytes RAM'))).outlined).toBe(false)
})

test('an unavailable action is distinguishable @long', async ({ page, project, seed }) => {
  await seed.instance(project.name, 'wheel')
  await page.goto('/projects/mill/instances')
  const menu = await openRowActions(page, 'wheel')
  const color = (name: string) =>
    menu.getByRole('menuitem', { name }).evaluate((node) => getComputedStyle(node).color)
  expect(await color('Stop')).not.toBe(await color('Start'))
  expect(await color('Resize')).toBe(await color('Start'))
})

test('a meter shows its level @long', async ({ page, project, seed }) => {
  await seed.disk(project.name, 'sacks')
  await page.goto('/utilization')
  const meter = page.getByRole('meter', { name: 'Storage used' })
  await expect(meter).toBeVisible()
  const filled = await drawn(meter.locator('> *'))
  const whole = await drawn(meter)
  expect(whole.outlined).toBe(true)
  expect(filled.backgroundColor).not.toBe(whole.backgroundColor)
})
