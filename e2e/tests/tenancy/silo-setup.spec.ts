import type { Page } from '@playwright/test'
import { hold } from '../../support/faults.ts'
import { GiB, ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import { dialog } from '../../support/ui.ts'

const newSilo = async (page: Page) => {
  await page.goto('/system/silos-new')
  return dialog(page, 'Create silo')
}
const quota = (page: Page, name: RegExp) => page.getByRole('spinbutton', { name })

test('quotas that are typed before the fleet is known stay', async ({ page, api }) => {
  const { capacity } = await ok(api.fleetOverview({}))
  const release = await hold(page, '**/x/v1/overview/fleet')
  await newSilo(page)
  await expect(quota(page, /^Memory/)).toHaveValue('0')
  await quota(page, /^CPU/).fill('0')
  await quota(page, /^Storage/).fill('7')
  release()
  const memory = Math.floor(capacity!.memory.limit / GiB / 10)
  await expect(quota(page, /^Memory/)).toHaveValue(String(memory))
  await expect(quota(page, /^CPU/)).toHaveValue('0')
  await expect(quota(page, /^Storage/)).toHaveValue('7')
})
