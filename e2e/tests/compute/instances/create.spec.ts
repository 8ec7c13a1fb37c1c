import type { Page } from '@playwright/test'
import { expect, test } from '../../../support/test.ts'
import { choose, dialog, expectFieldError, heading, toasts, summary } from '../../../support/ui.ts'
import { GiB, ok } from '../../../support/seed.ts'

const NEW = '/projects/mill/instances-new'
const PAGE = '/projects/mill/instances/wheel/storage'
const wheel = { path: { instance: 'wheel' }, query: { project: 'mill' } }

const nameField = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true })
const submit = (page: Page) => page.getByRole('button', { name: 'Create instance' }).click()
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

const chooseImage = (page: Page, name: string) =>
  choose(page.getByRole('combobox', { name: 'Image' }), name)

test.beforeEach(async ({ page, project }) => {
  await page.goto(`/projects/${project.name}/instances-new`)
  await expect(heading(page, 'Create instance')).toBeVisible()
})

test('from an image, with the defaults', async ({ page, api }) => {
  await expect(page).toHaveTitle('New instance / Instances / mill / Projects / Steading Console')
  await nameField(page).fill('wheel')
  await page.getByRole('textbox', { name: 'Description' }).fill('Turns')
  await expect(page.getByRole('checkbox', { name: 'Start Instance' })).toBeChecked()
  await expect(page.getByRole('radio', { name: '2 CPU 8 gibibytes RAM' })).toBeChecked()
  await chooseImage(page, 'debian-13')
  const quota = page.getByRole('complementary', { name: 'Summary' })
  await expect(quota).toContainText('0 vCPUs + 2 vCPUs of')
  // The answer comes after the page has heard that the share of the instance is in use, and that the
  // instance runs.
  await page.route('**/v1/instances?project=mill', async (route) => {
    const used = page.waitForResponse('**/v1/utilization')
    const answer = await route.fetch()
    await used
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)))
    await expect(quota).toContainText('0 vCPUs + 2 vCPUs of')
    const stateOf = async () => (await ok(api.instanceView(wheel))).runState
    await expect.poll(stateOf).toBe('running')
    await route.fulfill({ response: answer })
  })
  await submit(page)
  await expect(page).toHaveURL(PAGE)
  await expect(toasts(page)).toContainText('Instance wheel created')
  await expect(summary(page).getByText('running')).toBeVisible()
  const boot = page.getByRole('table', { name: 'Boot disk' })
  await expect(boot.getByRole('button', { name: 'debian-13', exact: true })).toBeVisible()
  expect(await ok(api.instanceView(wheel))).toMatchObject({
    description: 'Turns',
    hostname: 'wheel',
    ncpus: 2,
    memory: 8 * GiB,
  })
  const ips = await ok(api.instanceExternalIpList(wheel))
  expect(ips.items.map(({ kind }) => kind)).toContain('ephemeral')
})

test('with a preset of another kind, without starting it @long', async ({ page, api }) => {
  await nameField(page).fill('wheel')
  await page.getByRole('checkbox', { name: 'Start Instance' }).uncheck()
  await page.getByRole('tab', { name: 'High Memory' }).click()
  await expect(page.getByRole('radio', { name: '2 CPU 16 gibibytes RAM' })).toBeChecked()
  await page.getByRole('radio', { name: '4 CPU 32 gibibytes RAM' }).check()
  await chooseImage(page, 'debian-13')
  await submit(page)
  await expect(page).toHaveURL(PAGE)
  await expect(summary(page).getByText('stopped')).toBeVisible()
  expect(await ok(api.instanceView(wheel))).toMatchObject({ ncpus: 4, memory: 32 * GiB })
})

test('custom hardware is validated only while it is visible @long', async ({ page, api }) => {
  await nameField(page).fill('wheel')
  await chooseImage(page, 'debian-13')
  await page.getByRole('tab', { name: 'Custom' }).click()
  const cpus = page.getByRole('spinbutton', { name: 'CPUs' })
  const memory = page.getByRole('spinbutton', { name: 'Memory (GiB)' })
  await cpus.fill('999')
  await cpus.blur()
  await expect(cpus).toHaveValue('999')
  await submit(page)
  await expectFieldError(cpus, 'Can be at most 254')
  await cpus.fill('3')
  await memory.fill('1537')
  await expectFieldError(memory, 'Can be at most 1536 GiB')
  await memory.fill('6')
  await submit(page)
  await expect(page).toHaveURL(PAGE)
  expect(await ok(api.instanceView(wheel))).toMatchObject({ ncpus: 3, memory: 6 * GiB })
})

test('name and image are required @long', async ({ page }) => {
  await submit(page)
  await expectFieldError(nameField(page), 'Name is required')
  await expectFieldError(page.getByRole('combobox', { name: 'Image' }), 'Image is required')
  await expect(nameField(page)).toBeFocused()
})

test('the boot disk has the size of its image, and its own name @long', async ({ page, api }) => {
  await nameField(page).fill('wheel')
  const size = page.getByRole('spinbutton', { name: 'Disk size (GiB)' })
  await expect(size).toHaveValue('10')
  await chooseImage(page, 'ubuntu-24-04')
  await size.fill('1')
  await size.blur()
  await expect(size).toHaveValue('3')
  await page.getByRole('textbox', { name: 'Disk name' }).fill('root')
  await submit(page)
  await expect(page).toHaveURL(PAGE)
  const disk = await ok(api.diskView({ path: { disk: 'root' }, query: { project: 'mill' } }))
  expect(disk).toMatchObject({ size: 3 * GiB, description: 'Created as a boot disk for wheel' })
})

test('with disks created and attached together with it @long', async ({ page, api, seed }) => {
  await seed.disk('mill', 'sacks')
  await page.reload()
  await nameField(page).fill('wheel')
  await page.getByRole('checkbox', { name: 'Start Instance' }).uncheck()
  await chooseImage(page, 'debian-13')
  const disks = section(page, 'Additional disks')
  await expect(disks.getByText('No disks')).toBeVisible()

  await disks.getByRole('button', { name: 'Create new disk' }).click()
  const form = dialog(page, 'Create disk')
  await form.getByRole('textbox', { name: 'Name' }).fill('sacks')
  await form.getByRole('button', { name: 'Create disk' }).click()
  await expectFieldError(form.getByRole('textbox', { name: 'Name' }), 'Name is already in use')
  await form.getByRole('textbox', { name: 'Name' }).fill('flour')
  await form.getByRole('button', { name: 'Create disk' }).click()
  await expect(form).toBeHidden()
  // This has not sent the outer form.
  await expect(page).toHaveURL(NEW)

  await disks.getByRole('button', { name: 'Attach existing disk' }).click()
  const modal = dialog(page, 'Attach disk')
  await choose(modal.getByRole('combobox', { name: 'Disk name' }), 'sacks')
  await modal.getByRole('button', { name: 'Attach disk' }).click()
  await expect(disks.getByRole('row')).toContainText(['Name', 'flour', 'sacks'])

  await disks.getByRole('button', { name: 'Remove disk sacks' }).click()
  await expect(disks.getByRole('row')).toContainText(['Name', 'flour'])
  await submit(page)
  await expect(page).toHaveURL(PAGE)
  const { items } = await ok(api.instanceDiskList(wheel))
  expect(items.map(({ name }) => name)).toContain('flour')
  expect(items).toHaveLength(2)
})

test('from an existing disk @long', async ({ page, api, seed }) => {
  await page.getByRole('tab', { name: 'Existing disks' }).click()
  await expect(page.getByText('No detached disks found')).toBeVisible()
  await seed.disk('mill', 'root')
  await page.reload()
  await nameField(page).fill('wheel')
  await page.getByRole('tab', { name: 'Existing disks' }).click()
  await choose(page.getByRole('combobox', { name: 'Disk', exact: true }), 'root')
  await submit(page)
  await expect(page).toHaveURL(PAGE)
  const disk = await ok(api.diskView({ path: { disk: 'root' }, query: { project: 'mill' } }))
  expect((await ok(api.instanceView(wheel))).bootDiskId).toBe(disk.id)
})

test('with SSH keys, one of them added on the way @long', async ({ page, api }) => {
  const keys = section(page, 'Authentication')
  await expect(keys.getByText('No SSH keys')).toBeVisible()
  await keys.getByRole('button', { name: 'Add SSH Key' }).click()
  const form = dialog(page, 'Add SSH key')
  await form.getByRole('textbox', { name: 'Name' }).fill('laptop')
  await form.getByRole('textbox', { name: 'Public key' }).fill('ssh-ed25519 AAAA me@here')
  await form.getByRole('button', { name: 'Add SSH key' }).click()
  await expect(toasts(page)).toContainText('SSH key laptop created')
  await expect(page).toHaveURL(NEW)
  await expect(keys.getByRole('checkbox', { name: 'laptop' })).toBeChecked()
  await nameField(page).fill('wheel')
  await chooseImage(page, 'debian-13')
  await submit(page)
  await expect(page).toHaveURL(PAGE)
  const { items } = await ok(api.instanceSshPublicKeyList(wheel))
  expect(items.map(({ name }) => name)).toEqual(['laptop'])
})

test('without a network @long', async ({ page, api }) => {
  await nameField(page).fill('wheel')
  await chooseImage(page, 'debian-13')
  const address = page.getByRole('checkbox', { name: /^Allocate IPv4 address/ })
  await expect(address).toBeChecked()
  await page.getByRole('radio', { name: 'None' }).check()
  await expect(address).not.toBeChecked()
  await expect(address).toBeDisabled()
  await expect(address).toHaveAccessibleDescription(
    'Add an IPv4 network interface to attach an ephemeral IPv4 address',
  )
  await submit(page)
  await expect(page).toHaveURL(PAGE)
  expect(
    (await ok(api.instanceNetworkInterfaceList({ query: { ...wheel.query, instance: 'wheel' } })))
      .items,
  ).toEqual([])
})

test('a taken name is reported beside the buttons and at the field @long', async ({
  page,
  seed,
  consoleErrors,
}) => {
  consoleErrors.expect(/400|API error/)
  await seed.instance('mill', 'wheel')
  await nameField(page).fill('wheel')
  await chooseImage(page, 'debian-13')
  await submit(page)
  await expect(page.getByText('Instance name already exists')).toBeVisible()
  await expectFieldError(nameField(page), 'Name already exists')
  await expect(nameField(page)).toBeFocused()
  await expect(nameField(page)).toBeInViewport()
})

test('leaving a half-filled form asks for confirmation @long', async ({ page }) => {
  await nameField(page).fill('wheel')
  const leave = () =>
    page
      .getByRole('navigation', { name: 'Sidebar navigation' })
      .getByRole('link', { name: 'Disks' })
  await leave().click()
  const question = dialog(page, 'Confirm navigation')
  await expect(question).toContainText('Are you sure you want to leave this page?')
  await question.getByRole('button', { name: 'Continue editing' }).click()
  await expect(question).toBeHidden()
  await expect(nameField(page)).toHaveValue('wheel')
  await leave().click()
  await question.getByRole('button', { name: 'Leave this page' }).click()
  await expect(heading(page, 'Disks')).toBeVisible()
})

test('leaving an untouched form does not ask @long', async ({ page }) => {
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page).toHaveURL('/projects/mill/instances')
})
