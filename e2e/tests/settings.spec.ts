import { expect, test } from '../support/test.ts'
import {
  confirm,
  dialog,
  expectFieldError,
  heading,
  openRowActions,
  row,
  rowAction,
  toasts,
} from '../support/ui.ts'
import { ok } from '../support/seed.ts'

const KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJlAwkGrJQ4zYIgmCGR0qNDf2j7kGvOXGTZQzQYVnhZk me@here'

test('the profile shows the user @long', async ({ page, api }) => {
  const me = await ok(api.currentUserView())
  await page.goto('/settings')
  await expect(page).toHaveURL('/settings/profile')
  await expect(heading(page, 'Profile')).toBeVisible()
  await expect(page).toHaveTitle('Profile / Settings / Steading Console')
  const copy = page.getByRole('button', { name: 'Click to copy' })
  await copy.click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(me.id)
  // The check mark disappears automatically.
  await expect(copy).toBeVisible()
  await expect(page.getByRole('table', { name: 'Groups' })).toBeVisible()
})

test('an SSH key is added, shown and deleted', async ({ page, api }) => {
  await page.goto('/settings/ssh-keys')
  await expect(page.getByRole('heading', { name: 'No SSH keys' })).toBeVisible()
  await expect(page.getByText('Add an SSH key to see it here')).toBeVisible()
  await page.getByRole('link', { name: 'Add SSH key' }).first().click()
  await expect(page).toHaveURL('/settings/ssh-keys-new')

  const form = dialog(page, 'Add SSH key')
  await form.getByRole('textbox', { name: 'Name' }).fill('laptop')
  await form.getByRole('button', { name: 'Add SSH key' }).click()
  await expectFieldError(
    form.getByRole('textbox', { name: 'Public key' }),
    'Public key is required',
  )
  await form.getByRole('textbox', { name: 'Public key' }).fill(KEY)
  await form.getByRole('button', { name: 'Add SSH key' }).click()
  await expect(page).toHaveURL('/settings/ssh-keys')
  await expect(toasts(page)).toContainText('SSH key laptop created')
  const { items } = await ok(api.currentUserSshKeyList())
  expect(items.map(({ name, publicKey }) => [name, publicKey])).toEqual([['laptop', KEY]])

  await page.getByRole('link', { name: 'laptop' }).click()
  const view = dialog(page, 'View SSH Key')
  await expect(view.getByRole('heading', { level: 3 })).toHaveText('laptop')
  await expect(view.getByRole('textbox', { name: 'Name' })).toBeDisabled()
  await expect(view.getByRole('textbox', { name: 'Public key' })).toHaveValue(KEY)
  await view.getByRole('button', { name: 'Close', exact: true }).first().click()
  await expect(page).toHaveURL('/settings/ssh-keys')

  const menu = await openRowActions(page, 'laptop')
  await menu.getByRole('menuitem', { name: 'Copy public key' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(KEY)
  await rowAction(page, 'laptop', 'Delete')
  await confirm(page, 'Delete SSH key')
  await expect(toasts(page)).toContainText('SSH key laptop deleted')
  await expect(row(page, 'laptop')).toBeHidden()
  await expect(page.getByRole('heading', { name: 'No SSH keys' })).toBeVisible()
})

test('a taken key name is reported at the field @long', async ({ page, api, consoleErrors }) => {
  consoleErrors.expect(/400|API error/)
  await ok(
    api.currentUserSshKeyCreate({ body: { name: 'laptop', description: '', publicKey: KEY } }),
  )
  await page.goto('/settings/ssh-keys-new')
  const form = dialog(page, 'Add SSH key')
  const name = form.getByRole('textbox', { name: 'Name' })
  await name.fill('laptop')
  await form.getByRole('textbox', { name: 'Public key' }).fill(KEY)
  await form.getByRole('button', { name: 'Add SSH key' }).click()
  await expectFieldError(name, 'Name already exists')
})

test('the field of a key unwraps a pasted key, and recognizes private keys and paths @long', async ({
  page,
}) => {
  await page.goto('/settings/ssh-keys-new')
  const form = dialog(page, 'Add SSH key')
  const field = form.getByRole('textbox', { name: 'Public key' })
  await field.fill('-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA')
  await form.getByRole('button', { name: 'Add SSH key' }).click()
  await expectFieldError(
    field,
    'This is a private key. Never give it away; the public one ends in .pub',
  )
  await field.fill('~/.ssh/id_ed25519.pub')
  await expect(form).toContainText('This is the path of a file: paste the contents of the file')
  await expect(field).not.toHaveAttribute('aria-invalid', 'true')
  await field.fill(`${KEY.slice(0, 40)}\n${KEY.slice(40)}`)
  await expect(field).toHaveValue(KEY)
  await expect(form).toContainText(/Fingerprint SHA256:[\w+/]{43}/)
})
