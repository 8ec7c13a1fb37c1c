import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from '../../support/accessibility.ts'
import { count, search } from '../../support/lists.ts'
import { storeInstances } from '../../support/many.ts'
import { expect, test } from '../../support/test.ts'
import { closeByEscape, row } from '../../support/ui.ts'

const item = (page: Page, name: string): Locator =>
  page.getByRole('menuitemcheckbox', { name, exact: true })

test('filters show their number of rows, and keep it current @long', async ({
  page,
  host,
  project,
  seed,
}) => {
  const states = ['running', 'failed', 'failed', 'stopped'] as const
  await storeInstances(host, project.id, 1204, (index) => ({
    name: `box-${index}`,
    description: index < 8 ? 'of the miller' : '',
    run_state: states[index % states.length]!,
  }))
  await page.goto(`/projects/${project.name}/instances?q=miller`)
  await expect(row(page, 'box-0')).toBeVisible()
  const button = page.getByRole('button', { name: /^State/ })
  await button.click()
  await expect(item(page, 'Failed')).toHaveAccessibleDescription('4 instances')
  await expect(item(page, 'Running')).toHaveAccessibleDescription('2 instances')
  await expect(item(page, 'Repairing')).toHaveAccessibleDescription('0 instances')
  await expectAccessible(page)

  // Values of one filter do not affect each other's counts; one without rows can be chosen.
  await item(page, 'Repairing').click()
  await expect(count(page)).toHaveText('0 of 1,204 instances')
  await item(page, 'Running').click()
  await expect(count(page)).toHaveText('2 of 1,204 instances')
  await expect(item(page, 'Running')).toHaveAccessibleDescription('2 instances')
  await expect(item(page, 'Failed')).toHaveAccessibleDescription('4 instances')

  await seed.instance(project.name, 'millstone', { description: 'new, of the miller' })
  await expect(item(page, 'Stopped')).toHaveAccessibleDescription('3 instances')
  await closeByEscape(page)
  await search(page).fill('')
  await expect(count(page)).toHaveText('301 of 1,205 instances')
  await button.click()
  await expect(item(page, 'Failed')).toHaveAccessibleDescription('602 instances')
})
