import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSidewaysScroll } from '../../../support/accessibility.ts'
import { ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { choose, confirm, dialog, heading } from '../../../support/ui.ts'

const field = (page: Page) => page.getByRole('textbox', { name: 'User Data' })
const example = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Examples' }).getByRole('button', { name })
const submit = (page: Page) => page.getByRole('button', { name: 'Create instance' }).click()

test.beforeEach(async ({ project }) => void project)

async function open(page: Page): Promise<void> {
  await page.goto('/projects/mill/instances-new')
  await expect(heading(page, 'Create instance')).toBeVisible()
  await page.getByRole('tab', { name: 'Text' }).click()
}

test('a mistake in a cloud-config is shown at its place, and forbids nothing @long', async ({
  page,
  seed,
  consoleErrors,
}) => {
  consoleErrors.expect(/status of 400|API error .*ObjectAlreadyExists/)
  await seed.instance('mill', 'wheel')
  await open(page)
  const text = '#cloud-config\npackages:\n\t- nginx\n'
  await field(page).fill(text)
  const place = page.getByRole('button', { name: 'Line 3, column 1' })
  await expect(place).toBeVisible()
  await expect(field(page)).toHaveAccessibleDescription(/^Line 3, column 1 ?: .*tab/i)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
  await place.click()
  await expect(field(page)).toBeFocused()
  const cursor = await field(page).evaluate((area: HTMLTextAreaElement) => area.selectionStart)
  expect(text.slice(cursor)).toBe('\t- nginx\n')

  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('wheel')
  await choose(page.getByRole('combobox', { name: 'Image' }), 'debian-13')
  await submit(page)
  await expect(page.getByText('already exists').first()).toBeVisible()
  await expect(field(page)).toHaveValue(text)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('stone')
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await submit(page)
  const { user_data } = (await sent).postDataJSON() as { user_data: string }
  expect(Buffer.from(user_data, 'base64').toString()).toBe(text)
  await expect(page).toHaveURL('/projects/mill/instances/stone/storage')
})

test('an example fills an empty field, and other text only after a question @long', async ({
  page,
  api,
}) => {
  const publicKey =
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE8g0V1p1Ykq0cm9mYx3dJ0yZ1r3o2b5n6m7k8j9h0g1 ada'
  await ok(api.currentUserSshKeyCreate({ body: { name: 'laptop', description: '', publicKey } }))
  await open(page)
  await expect(page.getByRole('checkbox', { name: 'laptop' })).toBeChecked()

  await example(page, 'A user with a key').click()
  await expect(field(page)).toHaveValue(new RegExp(`^#cloud-config\\n[^]*${publicKey}`))
  await expect(field(page)).toBeFocused()
  await field(page).press('ControlOrMeta+End')
  await field(page).pressSequentially('mine')
  await expect(page.getByRole('button', { name: /^Line \d+, column/ })).toBeVisible()

  await example(page, 'A script').click()
  await dialog(page, 'Replace user data').getByRole('button', { name: 'Cancel' }).click()
  await expect(field(page)).toHaveValue(/mine$/)
  await example(page, 'A script').click()
  await confirm(page, 'Replace user data')
  await expect(field(page)).toHaveValue(/^#!\/bin\/sh\n/)
  await expect(page.getByRole('button', { name: /^Line \d+, column/ })).toHaveCount(0)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(example(page, 'A second disk')).toBeInViewport()
  await expectNoSidewaysScroll(page)
})
