import { expectAccessible, expectNoSidewaysScroll } from '../../../support/accessibility.ts'
import { box, boxOfAll, bulkAction, bulkBar, expectSelected } from '../../../support/jobs.ts'
import { storeInstances } from '../../../support/many.ts'
import { ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { closeByEscape, dialog, expectDisabled, row } from '../../../support/ui.ts'

const name = (index: number) => `box-${String(index).padStart(3, '0')}`

test('the selection is kept across pages and sorting, until its rows are gone', async ({
  page,
  project,
  host,
  api,
}) => {
  await storeInstances(host, project.id, 60, (index) => ({ name: name(index) }))
  await page.goto(`/projects/${project.name}/instances`)
  await expect(bulkBar(page)).toBeHidden()
  // The rows below the window are drawn after the first ones.
  await expect(row(page, name(49))).toBeAttached()
  const table = await page.getByRole('table').boundingBox()
  await box(page, name(1)).check()
  await box(page, name(4)).click({ modifiers: ['Shift'] })
  await expectSelected(page, '4 selected')
  expect(await page.getByRole('table').boundingBox()).toEqual(table)
  await expect(boxOfAll(page)).toHaveJSProperty('indeterminate', true)

  await page.getByRole('button', { name: 'next', exact: true }).click()
  await expect(row(page, name(55))).toBeVisible()
  await expect(boxOfAll(page)).not.toBeChecked()
  await expect(boxOfAll(page)).toHaveJSProperty('indeterminate', false)
  await box(page, name(55)).check()
  await expectSelected(page, '5 selected')
  await page.getByRole('columnheader', { name: 'name' }).getByRole('button').click()
  await expect(box(page, name(55))).toBeChecked()
  await expect(box(page, name(54))).not.toBeChecked()
  await expectSelected(page, '5 selected')

  // Another user deletes one of the selected rows of this page, and one of the other page.
  const query = { project: project.name }
  await ok(api.instanceDelete({ path: { instance: name(55) }, query }))
  await expectSelected(page, '4 selected')
  await ok(api.instanceDelete({ path: { instance: name(2) }, query }))
  await expectSelected(page, '3 selected')
  await page.keyboard.press('Escape')
  await expect(bulkBar(page)).toBeHidden()
})

test('a whole page is selected, and then all matches @long', async ({ page, project, host }) => {
  await storeInstances(host, project.id, 120, (index) => ({
    name: name(index),
    run_state: index < 70 ? 'failed' : 'stopped',
  }))
  await page.goto(`/projects/${project.name}/instances?state=failed`)
  await boxOfAll(page).check()
  await expectSelected(page, '50 selected')
  await bulkAction(page, 'Select all 70 matching').click()
  await expectSelected(page, 'All 70 matching selected')
  await page.getByRole('button', { name: 'next', exact: true }).click()
  await expect(box(page, name(60))).toBeChecked()
  // Unchecking one reduces the selection to the other rows on the screen.
  await box(page, name(60)).uncheck()
  await expectSelected(page, '19 selected')

  // "All" refers to one search, not to the next.
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await page.getByRole('button', { name: 'prev' }).click()
  await boxOfAll(page).check()
  await bulkAction(page, 'Select all 70 matching').click()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(bulkBar(page)).toBeHidden()
  await expect(box(page, name(0))).not.toBeChecked()
  await boxOfAll(page).check()
  await expect(bulkAction(page, 'Select all 120 instances')).toBeVisible()
})

test('by keyboard @long', async ({ page, project, seed }) => {
  for (const each of ['axle', 'beam', 'cog', 'dial']) await seed.instance(project.name, each)
  await page.goto(`/projects/${project.name}/instances`)
  await box(page, 'axle').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(box(page, 'cog')).toBeFocused()
  await page.keyboard.press('Shift+Space')
  await expectSelected(page, '3 selected')
  await expectAccessible(page)
  await page.keyboard.press('.')
  await expect(bulkAction(page, 'Start')).toBeFocused()
  await expectDisabled(bulkAction(page, 'Stop'), 'Only running instances can be stopped')
  await page.keyboard.press('Enter')
  const plan = dialog(page, 'Start 3 instances in mill')
  await expect(plan.getByText('3 will be started')).toBeVisible()
  await closeByEscape(page)
  await expect(plan).toBeHidden()
  await expect(bulkAction(page, 'Start')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(bulkBar(page)).toBeHidden()
})

test('on a phone, the actions are behind one button @long', async ({ page, project, seed }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await seed.instance(project.name, 'wheel-with-a-name-that-takes-more-room-than-there-is')
  await seed.instance(project.name, 'wheel')
  await page.goto(`/projects/${project.name}/instances`)
  await boxOfAll(page).check()
  await expectSelected(page, '2 selected')
  await expectNoSidewaysScroll(page)
  await bulkAction(page, 'Actions of the selection').click()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Start' }).click()
  await expect(dialog(page, 'Start 2 instances in mill')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start 2 instances' })).toBeVisible()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})

test.describe('with a control plane without jobs', () => {
  test.use({ hostConfig: { extensions: false } })

  test('there is nothing to select @long', async ({ page, project, seed, consoleErrors }) => {
    consoleErrors.expect(/404/)
    await seed.instance(project.name, 'wheel')
    await page.goto(`/projects/${project.name}/instances`)
    await expect(row(page, 'wheel')).toBeVisible()
    await expect(page.getByRole('checkbox')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Jobs' })).toHaveCount(0)
  })
})
