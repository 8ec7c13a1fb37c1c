import { readFile } from 'node:fs/promises'
import { expectAccessible } from '../../support/accessibility.ts'
import { addUser } from '../../support/host.ts'
import { GiB, ok } from '../../support/seed.ts'
import { expect, openAs, test } from '../../support/test.ts'
import { confirm, dialog, heading, openMenuOf } from '../../support/ui.ts'

test('operators see use by silo, and its costs once there are prices', async ({
  page,
  api,
  project,
  seed,
}) => {
  await seed.disk(project.name, 'sacks', { size: 100 * GiB })
  await page.goto('/system/utilization')
  await page.getByRole('link', { name: 'Usage report' }).click()
  await expect(heading(page, 'Usage')).toBeVisible()
  const metrics = page.getByRole('table', { name: 'Use by metric' })
  await expect(metrics.getByRole('row', { name: /Disks/ })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Use by line' })).toContainText('main')
  await expect(page.getByText(/^Use is recorded since/)).toBeVisible()
  await expectAccessible(page)

  // A refused price has its reason at the field, and the input stays.
  await page.getByRole('button', { name: 'New prices' }).click()
  const form = dialog(page, 'New prices')
  await form.getByRole('textbox', { name: 'Valid from' }).fill('2026-02-30')
  await form.getByRole('textbox', { name: 'Currency' }).fill('eur')
  await form.getByRole('textbox', { name: 'Disks' }).fill('1,5')
  await form.getByRole('button', { name: 'Add prices' }).click()
  await expect(form.getByText('day is written YYYY-MM-DD, from 1970 on')).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'Disks' })).toHaveValue('1,5')
  await expectAccessible(page)
  await form.getByRole('textbox', { name: 'Valid from' }).fill('2020-01-01')
  await form.getByRole('textbox', { name: 'Disks' }).fill('900000')
  await form.getByRole('button', { name: 'Add prices' }).click()
  await expect(form).toBeHidden()
  await expect(page.getByText(/^Total cost €/)).toBeVisible()
  await expect(metrics.getByRole('columnheader', { name: 'cost' })).toBeVisible()
  const list = await ok(api.priceListView())
  expect(list.versions).toEqual([{ validFrom: '2020-01-01', prices: { disk: '900000' } }])

  const prices = page.getByRole('table', { name: 'Prices' })
  const menu = await openMenuOf(prices.getByRole('row', { name: /2020-01-01/ }))
  await menu.getByRole('menuitem', { name: 'Remove' }).click()
  await confirm(page, 'Remove prices')
  await expect(page.getByText('No prices')).toBeVisible()
  await expect(page.getByText(/^Total cost/)).toBeHidden()
})

test('users see their silo or a project, by tags, and save files @long', async ({
  page,
  api,
  host,
  project,
  seed,
}) => {
  const disk = await seed.disk(project.name, 'sacks')
  await ok(
    api.tagsChange({
      path: { kind: 'disk', thing: disk.id },
      body: { set: ['env:prod'] },
    }),
  )
  await page.goto('/utilization')
  await page.getByRole('button', { name: /Filter by project/ }).click()
  await page.getByRole('option', { name: project.name }).click()
  await page.getByRole('link', { name: `Usage report of ${project.name}` }).click()
  await expect(page).toHaveURL(/usage\?of=/)
  await page.goto('/settings/profile')
  await expect(heading(page, 'Profile')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Search' }).fill('usage report')
  await page.getByRole('option', { name: /^Usage report(?! of)/ }).click()
  await expect(page).toHaveURL(/\/usage$/)
  const lines = page.getByRole('table', { name: 'Use by line' })
  await expect(lines.getByRole('row', { name: new RegExp(project.name) })).toBeVisible()
  const key = page.getByRole('combobox', { name: 'Key of a tag' })
  await expect(page.locator('datalist option[value=env]')).toBeAttached()
  await key.fill('env')
  await key.press('Enter')
  await expect(page).toHaveURL(/tag=env/)
  await expect(lines.getByRole('row', { name: /prod/ })).toBeVisible()
  for (const item of ['Export report as CSV', 'Export records as CSV']) {
    await page.getByRole('button', { name: 'Usage actions' }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: item }).click()
    const text = await readFile(await (await saved).path(), 'utf8')
    expect(text).toContain(project.name)
    expect(text).toContain('prod')
  }

  // A role on a project alone: the silo is refused, the project is shown.
  const theirs = await openAs(page, host.url, await addUser(host, 'miller'))
  const { items } = await ok(api.userList({}))
  const { id } = items.find((user) => user.displayName === 'miller')!
  await ok(
    api.projectPolicyUpdate({
      path: { project: project.name },
      body: {
        roleAssignments: [{ identityId: id, identityType: 'silo_user', roleName: 'viewer' }],
      },
    }),
  )
  await theirs.goto(`/usage?of=${project.name}`)
  await expect(theirs.getByRole('table', { name: 'Use by line' })).toContainText(project.name)
})
