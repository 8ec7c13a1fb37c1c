/** Forms whose choices fail to load, or load late. */
import { fail, hold } from '../../support/faults.ts'
import { seedImage } from '../../support/images.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import { choose, dialog, expectDisabled, heading } from '../../support/ui.ts'

const NEW = '/projects/mill/instances-new'
const wheel = { path: { instance: 'wheel' }, query: { project: 'mill' } }

test.beforeEach(({ consoleErrors }) => {
  consoleErrors.expect(/status of 500|API error/)
})

test('a new instance does without choices that cannot be loaded; its input stays @long', async ({
  page,
  project,
  api,
}) => {
  const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHsS6j2yUmaPYqRkPRyGdnWu'
  await ok(api.currentUserSshKeyCreate({ body: { name: 'desk', description: '', publicKey } }))
  const path = /\/(me\/ssh-keys|ip-pools|floating-ips|anti-affinity-groups|utilization)\b/
  const mend = await fail(page, path)
  await page.goto(`/projects/${project.name}/instances-new`)
  await expect(heading(page, 'Create instance')).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'It has come loose' })).toHaveText([
    /SSH keys could not be loaded/,
    /IP pools could not be loaded/,
    /Floating IPs could not be loaded/,
    /Anti-affinity groups could not be loaded/,
    /The quota could not be loaded/,
  ])
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('wheel')
  await choose(page.getByRole('combobox', { name: 'Image' }), 'debian-13')
  await page.getByRole('checkbox', { name: 'Start Instance' }).uncheck()
  mend()
  await page.getByRole('button', { name: 'Retry loading SSH keys' }).click()
  await expect(page.getByRole('checkbox', { name: 'desk' })).toBeChecked()
  await page.getByRole('button', { name: 'Retry loading IP pools' }).click()
  await expect(page.getByRole('checkbox', { name: 'Allocate IPv4 address' })).toBeChecked()
  await page.getByRole('button', { name: 'Create instance' }).click()
  await expect(heading(page, 'wheel')).toBeVisible()
  const keys = await ok(api.instanceSshPublicKeyList(wheel))
  expect(keys.items.map(({ name }) => name)).toEqual(['desk'])
})

test('late images only disable the button, and do not override changed fields @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  await seedImage({ api, seed }, project.name, 'flour')
  const release = await hold(page, /\/silo-images\?/)
  await page.goto(NEW)
  await expect(page.getByRole('status').filter({ hasText: 'Loading silo images…' })).toBeVisible()
  const create = page.getByRole('button', { name: 'Create instance' })
  await expectDisabled(create, 'Silo images are still loading')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('wheel')
  await page.getByRole('tab', { name: 'Project images' }).click()
  await choose(page.getByRole('combobox', { name: 'Image' }), 'flour')
  await expect(create).not.toHaveAttribute('aria-disabled')
  await page.getByRole('spinbutton', { name: 'Disk size (GiB)' }).fill('17')
  const listed = page.waitForResponse(/\/silo-images\?/)
  release()
  await listed
  await expect(page.getByRole('combobox', { name: 'Image' })).toHaveValue('flour')
  await expect(page.getByRole('spinbutton', { name: 'Disk size (GiB)' })).toHaveValue('17')
})

test('images that cannot be loaded prevent sending the form, with the reason @long', async ({
  page,
  project,
}) => {
  const mend = await fail(page, /\/silo-images\?/)
  await page.goto(`/projects/${project.name}/instances-new`)
  const create = page.getByRole('button', { name: 'Create instance' })
  await expectDisabled(create, 'Silo images could not be loaded')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('wheel')
  mend()
  await page.getByRole('button', { name: 'Retry loading silo images' }).click()
  // Its successor gets the focus of the removed element.
  await expect(page.getByRole('combobox', { name: 'Image' })).toBeFocused()
  await choose(page.getByRole('combobox', { name: 'Image' }), 'debian-13')
  await expect(create).not.toHaveAttribute('aria-disabled')
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('wheel')
})

test('a text field reports that its list failed, and retries in the list @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.disk(project.name, 'grain')
  const mend = await fail(page, /v1\/disks\?/)
  await page.goto(`/projects/${project.name}/snapshots-new`)
  const form = dialog(page, 'Create snapshot')
  const field = form.getByRole('combobox', { name: 'Disk' })
  await expect(field).toHaveAttribute('placeholder', 'Could not be loaded')
  await field.click()
  const again = page.getByRole('option', {
    name: 'Could not be loaded: It has come loose Try again',
  })
  await again.click()
  // It fails again, and the list is still open.
  await expect(again).toBeVisible()
  mend()
  await field.press('ArrowDown')
  await field.press('Enter')
  await page.getByRole('option', { name: 'grain' }).click()
  await expect(field).toHaveValue('grain')
})

test('a select field reports that its list failed, and retries in the list @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.instance(project.name, 'wheel')
  await seed.until(project.name, 'wheel', 'stopped')
  const mend = await fail(page, /v1\/vpc-subnets\?/)
  await page.goto(`/projects/${project.name}/instances/wheel/networking`)
  await page.getByRole('button', { name: 'Add network interface' }).click()
  const form = dialog(page, 'Add network interface')
  const field = form.getByRole('button', { name: 'VPC subnet' })
  await expect(field).toContainText('Could not be loaded')
  await field.click()
  const again = page.getByRole('option', {
    name: 'Could not be loaded: It has come loose Try again',
  })
  await again.click()
  await expect(again).toBeFocused()
  mend()
  await page.keyboard.press('Enter')
  const subnet = page.getByRole('option', { name: 'default' })
  await expect(subnet).toBeVisible()
  await expect(page.getByRole('listbox')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(field).toContainText('default')
})

test('an empty list names the missing resource, and links to its creation @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.instance(project.name, 'wheel')
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto(`/projects/${project.name}/instances/wheel/storage`)
  await page.getByRole('button', { name: 'Attach existing disk' }).click()
  await dialog(page, 'Attach disk').getByRole('combobox', { name: 'Disk name' }).click()
  await page.getByRole('option', { name: 'No detached disks found Create disk' }).click()
  await expect(dialog(page, 'Create disk').getByRole('textbox', { name: 'Name' })).toBeFocused()
})
