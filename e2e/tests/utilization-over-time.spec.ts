import { readFile } from 'node:fs/promises'
import { expectAccessible } from '../support/accessibility.ts'
import { fail } from '../support/faults.ts'
import { expect, test } from '../support/test.ts'
import { dialog } from '../support/ui.ts'

test('charts of provisioned capacity: keys, zoom, table, file, filter and custom range @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.project('other', 'Empty')
  await seed.disk(project.name, 'sacks')
  await page.goto('/utilization')
  const storage = page.getByRole('figure', { name: 'Storage' })
  const plot = storage.getByRole('slider', { name: 'Storage over time' })

  // The last point under the crosshair is current.
  await plot.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(storage.getByRole('tooltip')).toContainText('0.01 TiB')
  await expect(plot).toHaveAttribute('aria-valuetext', /Provisioned 0\.01 TiB$/)
  await page.keyboard.press('Escape')
  await expect(storage.getByRole('tooltip')).toBeHidden()

  // All charts zoom together.
  const zoomOut = page.getByRole('button', { name: 'Zoom out' })
  await expect(zoomOut).toHaveCount(0)
  await page.keyboard.press('+')
  await expect(zoomOut).toHaveCount(3)
  await zoomOut.first().click()
  await expect(zoomOut).toHaveCount(0)

  // Dragging over a time range zooms as well.
  await plot.hover()
  const box = (await plot.boundingBox())!
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width * 0.3, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 5 })
  await page.mouse.up()
  await expect(zoomOut).toHaveCount(3)
  await zoomOut.first().click()
  await expect(zoomOut).toHaveCount(0)

  const menu = storage.getByRole('button', { name: 'Storage chart actions' })
  const choose = async (label: string) => {
    await menu.click()
    await page.getByRole('menuitem', { name: label }).click()
  }
  const picture = page.waitForEvent('download')
  await choose('Export as PNG')
  expect((await picture).suggestedFilename()).toBe('storage.png')
  const bytes = await readFile(await (await picture).path())
  expect(bytes.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
  await choose('Show as table')
  const table = storage.getByRole('region', { name: 'Storage as table' })
  await expect(table.getByRole('row').nth(1)).toContainText('0.01 TiB')
  const download = page.waitForEvent('download')
  await choose('Export as CSV')
  expect((await download).suggestedFilename()).toBe('storage.csv')
  await choose('Show as chart')
  await expect(plot).toBeVisible()

  await page.getByRole('button', { name: 'Filter by project' }).click()
  await page.getByRole('option', { name: 'other' }).click()
  await expect(storage.getByRole('row', { name: /^Provisioned/ })).not.toContainText('0.01 TiB')

  const preset = page.getByRole('button', { name: 'Choose a time range preset' })
  await preset.click()
  await page.getByRole('option', { name: 'Last week' }).click()
  await page.getByRole('button', { name: 'Choose a date range' }).click()
  const days = dialog(page, 'Choose a date range')
  const time = days.getByRole('group', { name: 'Start time' }).getByRole('spinbutton')
  await time.first().press('ArrowUp')
  await expect(preset).toHaveText('Custom')
  await expectAccessible(page)
})

test('a chart that failed to load shows that in its place, and can be retried @long', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.expect(/500|API error|ApiError/)
  const mend = await fail(page, /\/v1\/metrics\//)
  await page.goto('/utilization')
  const cpu = page.getByRole('figure', { name: 'CPU' })
  await expect(cpu.getByRole('alert')).toContainText('Something went wrong')
  mend()
  await cpu.getByRole('button', { name: 'Try again' }).click()
  await expect(cpu.getByRole('slider', { name: 'CPU over time' })).toBeVisible()
})
