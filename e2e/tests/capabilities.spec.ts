import type { Route } from '@playwright/test'
import { expect, test } from '../support/test.ts'
import { row, rowAction } from '../support/ui.ts'

const failures = {
  'an error': (route: Route) => route.fulfill({ status: 503 }),
  'no answer': (route: Route) => route.abort(),
}

for (const [name, fail] of Object.entries(failures)) {
  const tag = name === 'an error' ? [] : ['@long']
  test(
    `lists, jobs, deletion and live events work once capabilities are known after ${name}`,
    { tag },
    async ({ page, project, seed, consoleErrors }) => {
      consoleErrors.expect(/503|ERR_FAILED/)
      await seed.disk(project.name, 'grain')
      let failing = true
      await page.route('/x/v1/capabilities', (route) => (failing ? fail(route) : route.continue()))
      await page.goto(`/projects/${project.name}/disks`)
      await expect(row(page, 'grain')).toBeVisible()
      await expect(page.getByRole('searchbox')).toHaveCount(0)

      failing = false
      await expect(page.getByRole('searchbox')).toBeVisible()
      await expect(page.getByRole('checkbox', { name: 'Select grain' })).toBeVisible()
      await expect(page.getByText('Live', { exact: true })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Jobs' })).toBeVisible()
      const meaning = page.waitForRequest('**/deletion*')
      await rowAction(page, 'grain', 'Delete')
      await meaning
    },
  )
}
