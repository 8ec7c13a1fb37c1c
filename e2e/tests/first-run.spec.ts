import { realMachineCommands } from '../../packages/api/src/rules.ts'
import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { expect, test } from '../support/test.ts'
import { heading, row } from '../support/ui.ts'

const realMachines = (page: Page) => page.getByRole('region', { name: 'Real machines' })
const badge = (page: Page) => page.getByText('simulated', { exact: true }).filter({ visible: true })

test('empty lists show the way to real machines, and pages of instances say simulated', async ({
  page,
  project,
  seed,
}) => {
  await page.goto(`/projects/${project.name}/instances`)
  await expect(badge(page)).toHaveCount(1)
  for (const command of realMachineCommands) {
    await expect(realMachines(page).getByText(command, { exact: true })).toBeVisible()
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
  await seed.instance(project.name, 'wheel')
  await expect(row(page, 'wheel')).toBeVisible()
  await expect(realMachines(page)).toHaveCount(0)
  await page.goto(`/projects/${project.name}/instances/wheel/storage`)
  await expect(heading(page, 'wheel')).toBeVisible()
  await expect(badge(page)).toHaveCount(1)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(badge(page)).toHaveCount(1)
})

test('nothing is said about real machines, and where the engine is unknown @long', async ({
  page,
  project,
  consoleErrors,
}) => {
  consoleErrors.expect(/404 .*\/x\/v1\/capabilities/)
  let isKnown = true
  await page.route('/x/v1/capabilities', async (route) => {
    if (!isKnown) return route.fulfill({ status: 404, body: '' })
    const response = await route.fetch()
    return route.fulfill({ response, json: { ...(await response.json()), simulation: false } })
  })
  for (isKnown of [true, false]) {
    await page.goto(`/projects/${project.name}/instances`)
    await expect(page.getByRole('heading', { name: 'No instances' })).toBeVisible()
    // Drawn once the capabilities are known, of which the engine is one.
    await expect(page.getByRole('button', { name: 'Jobs' })).toHaveCount(isKnown ? 1 : 0)
    await expect(badge(page)).toHaveCount(0)
    await expect(realMachines(page)).toHaveCount(0)
  }
})
