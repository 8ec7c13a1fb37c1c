import { expectAccessible } from '../../../support/accessibility.ts'
import { ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { heading } from '../../../support/ui.ts'

test('a full pool is an issue until it gets another range', async ({ page, api, project }) => {
  const pool = 'narrow'
  await ok(api.systemIpPoolCreate({ body: { name: pool, description: '' } }))
  const body = { first: '198.51.100.7', last: '198.51.100.7' }
  await ok(api.systemIpPoolRangeAdd({ path: { pool }, body }))
  const link = { silo: 'main', isDefault: false }
  await ok(api.systemIpPoolSiloLink({ path: { pool }, body: link }))
  await page.goto('/projects')
  await page.getByRole('button', { name: 'Switch between system and silo' }).click()
  await page.getByRole('menuitem', { name: 'System' }).click()
  await expect(heading(page, 'Issues')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'All is well' })).toBeVisible()
  await expectAccessible(page)

  const poolSelector = { type: 'explicit', pool } as const
  await ok(
    api.floatingIpCreate({
      query: { project: project.name },
      body: { name: 'last', description: '', addressAllocator: { type: 'auto', poolSelector } },
    }),
  )
  // It appears while the page is open, also in the menu.
  const issue = page.getByRole('row', { name: /^IP pool narrow is full critical/ })
  await expect(issue).toBeVisible()
  await expect(page.getByRole('link', { name: 'Issues 1' })).toBeVisible()
  await issue.getByRole('link', { name: 'Add a range' }).click()
  await expect(heading(page, pool)).toBeVisible()

  const more = { first: '198.51.100.10', last: '198.51.100.200' }
  await ok(api.systemIpPoolRangeAdd({ path: { pool }, body: more }))
  await expect(page.getByRole('link', { name: 'Issues', exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Issues', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'All is well' })).toBeVisible()
})
