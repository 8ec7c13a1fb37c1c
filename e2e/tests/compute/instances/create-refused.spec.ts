/** Conflicting changes between opening and sending the form. */
import type { Locator, Page } from '@playwright/test'
import type { ApiClient } from '@steading/api/client'
import { GiB, ok, type Seed } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { choose, dialog, expectFieldError, heading } from '../../../support/ui.ts'

const NEW = '/projects/mill/instances-new'
const query = { project: 'mill' }

// Without events, the page still offers deleted resources.
test.use({ hostConfig: { extensions: false } })
test.beforeEach(async ({ project, consoleErrors }) => {
  void project
  consoleErrors.expect(/40\d|507|API error/)
})

const submit = (page: Page) => page.getByRole('button', { name: 'Create instance' }).click()
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const field = (page: Page, label: string) =>
  page.getByRole('combobox', { name: label, exact: true })

async function open(page: Page): Promise<void> {
  await page.goto(NEW)
  await expect(heading(page, 'Create instance')).toBeVisible()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('wheel')
}
const fromImage = (page: Page) => choose(field(page, 'Image'), 'debian-13')

/** All resources of the project that a create makes or uses. */
async function everything(api: ApiClient) {
  const floatingIps = await ok(api.floatingIpList({ query }))
  return {
    instances: (await ok(api.instanceList({ query }))).items.map(({ name }) => name),
    disks: (await ok(api.diskList({ query }))).items.map(({ name, state }) => [name, state.state]),
    floatingIps: floatingIps.items.map(({ name, instanceId }) => [name, instanceId]),
    used: (await ok(api.utilizationView({}))).provisioned,
  }
}

/** Sends the form, which is refused without leftovers. */
async function expectRefused(page: Page, api: ApiClient, message: string | RegExp) {
  const before = await everything(api)
  await submit(page)
  // Beside the buttons and at the field.
  await expect(page.getByText(message)).toHaveCount(2)
  await expect(page).toHaveURL(NEW)
  expect(await everything(api)).toEqual(before)
}

async function expectAtField(control: Locator, message: string): Promise<void> {
  await expectFieldError(control, message)
  await expect(control).toBeFocused()
  await expect(control).toBeInViewport()
}

/** A part of the form without a field of its own: the focus moves to its message. */
async function expectAtPart(page: Page, part: string, message: string): Promise<void> {
  const said = section(page, part).getByText(message)
  await expect(said).toBeInViewport()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(message)
}

const snapshot = (api: ApiClient, name: string, disk: string) =>
  ok(api.snapshotCreate({ query, body: { name, description: '', disk } }))

test('the name of the boot disk is taken', async ({ page, api, seed }) => {
  await open(page)
  await fromImage(page)
  const name = page.getByRole('textbox', { name: 'Disk name' })
  await name.fill('root')
  await seed.disk('mill', 'root')
  await expectRefused(page, api, 'Disk name already exists')
  await expectAtField(name, 'Disk name already exists')
  // The corrected form can be sent.
  await name.fill('root-2')
  await submit(page)
  await expect(page).toHaveURL('/projects/mill/instances/wheel/storage')
})

test('the name of another disk is taken @long', async ({ page, api, seed }) => {
  await open(page)
  await fromImage(page)
  const disks = section(page, 'Additional disks')
  await disks.getByRole('button', { name: 'Create new disk' }).click()
  const form = dialog(page, 'Create disk')
  await form.getByRole('textbox', { name: 'Name' }).fill('flour')
  await form.getByRole('button', { name: 'Create disk' }).click()
  await expect(form).toBeHidden()
  await seed.disk('mill', 'flour')
  await expectRefused(page, api, 'Disk name already exists')
  await expectAtPart(page, 'Additional disks', 'Disk name already exists')
})

test.describe('the existing boot disk', () => {
  const chosen = async (page: Page, seed: Seed) => {
    await seed.disk('mill', 'root')
    await open(page)
    await page.getByRole('tab', { name: 'Existing disks' }).click()
    await choose(field(page, 'Disk'), 'root')
  }

  test('is gone @long', async ({ page, api, seed }) => {
    await chosen(page, seed)
    await ok(api.diskDelete({ path: { disk: 'root' }, query }))
    const message = 'Not found: disk with name "root"'
    await expectRefused(page, api, message)
    await expectAtField(field(page, 'Disk'), message)
  })

  test('is attached elsewhere @long', async ({ page, api, seed }) => {
    await chosen(page, seed)
    await seed.instance('mill', 'other', { disks: [{ type: 'attach', name: 'root' }] })
    const message = 'Cannot attach disk "root": disk is attached to another instance'
    await expectRefused(page, api, message)
    await expectAtField(field(page, 'Disk'), message)
  })
})

test('another disk is attached elsewhere @long', async ({ page, api, seed }) => {
  await seed.disk('mill', 'sacks')
  await open(page)
  await fromImage(page)
  await section(page, 'Additional disks')
    .getByRole('button', { name: 'Attach existing disk' })
    .click()
  const modal = dialog(page, 'Attach disk')
  await choose(modal.getByRole('combobox', { name: 'Disk name' }), 'sacks')
  await modal.getByRole('button', { name: 'Attach disk' }).click()
  await seed.instance('mill', 'other', { disks: [{ type: 'attach', name: 'sacks' }] })
  const message = 'Cannot attach disk "sacks": disk is attached to another instance'
  await expectRefused(page, api, message)
  await expectAtPart(page, 'Additional disks', message)
})

test('the image is deleted @long', async ({ page, api }) => {
  await open(page)
  await fromImage(page)
  const image = await ok(api.imageView({ path: { image: 'debian-13' }, query: {} }))
  await ok(api.imageDelete({ path: { image: image.id } }))
  const message = `Not found: image with id "${image.id}"`
  await expectRefused(page, api, message)
  await expectAtField(field(page, 'Image'), message)
})

test('the snapshot is deleted @long', async ({ page, api, seed }) => {
  await seed.disk('mill', 'sacks')
  const { id } = await snapshot(api, 'harvest', 'sacks')
  await open(page)
  await page.getByRole('tab', { name: 'Snapshots' }).click()
  await choose(field(page, 'Snapshot'), 'harvest')
  await ok(api.snapshotDelete({ path: { snapshot: 'harvest' }, query }))
  const message = `Not found: snapshot with id "${id}"`
  await expectRefused(page, api, message)
  await expectAtField(field(page, 'Snapshot'), message)
})

test('there is no space for the boot disk @long', async ({ page, api, host }) => {
  await open(page)
  await fromImage(page)
  await host.server.controlPlane.database.db
    .updateTable('silo')
    .set({ quota_storage: GiB })
    .execute()
  await expectRefused(page, api, /^Insufficient capacity: Storage Limit Exceeded/)
  const size = page.getByRole('spinbutton', { name: 'Disk size (GiB)' })
  await expect(size).toBeFocused()
  await expect(size).toHaveAccessibleDescription(/Storage Limit Exceeded/)
})

test.describe('the floating address', () => {
  const chosen = async (page: Page, seed: Seed) => {
    await seed.floatingIp('mill', 'door')
    await open(page)
    await fromImage(page)
    const networking = section(page, 'Networking')
    await networking.getByRole('button', { name: 'Attach floating IP' }).click()
    const form = dialog(page, 'Attach floating IP')
    await form.getByRole('button', { name: /^Select a floating IP/ }).click()
    await page.getByRole('option', { name: 'door' }).click()
    await form.getByRole('button', { name: 'Attach', exact: true }).click()
    await expect(form).toBeHidden()
  }

  test('is taken @long', async ({ page, api, seed }) => {
    await chosen(page, seed)
    await seed.instance('mill', 'other', {
      networkInterfaces: { type: 'default_ipv4' },
      externalIps: [{ type: 'floating', floatingIp: 'door' }],
    })
    const message = 'Floating IP cannot be attached to one instance while still attached to another'
    await expectRefused(page, api, message)
    await expectAtPart(page, 'Networking', message)
  })

  test('is gone @long', async ({ page, api, seed }) => {
    await chosen(page, seed)
    await ok(api.floatingIpDelete({ path: { floatingIp: 'door' }, query }))
    const message = 'Not found: floating-ip with name "door"'
    await expectRefused(page, api, message)
    await expectAtPart(page, 'Networking', message)
  })
})

test.describe('a network interface', () => {
  const chosen = async (page: Page, subnet: string) => {
    await open(page)
    await fromImage(page)
    await page.getByRole('radio', { name: 'Custom' }).check()
    await section(page, 'Networking').getByRole('button', { name: 'Add network interface' }).click()
    const form = dialog(page, 'Add network interface')
    await form.getByRole('textbox', { name: 'Name' }).fill('net0')
    await form.getByRole('button', { name: 'VPC subnet' }).click()
    await page.getByRole('option', { name: subnet }).click()
    await form.getByRole('radio', { name: 'IPv4', exact: true }).check()
    await form.getByRole('textbox', { name: 'IPv4 address' }).fill('172.30.0.50')
    await form.getByRole('button', { name: 'Add network interface' }).click()
    await expect(form).toBeHidden()
  }

  test('requests an address that is in use @long', async ({ page, api, seed }) => {
    await chosen(page, 'default')
    await seed.instance('mill', 'other', {
      networkInterfaces: {
        type: 'create',
        params: [
          {
            name: 'net0',
            description: '',
            vpcName: 'default',
            subnetName: 'default',
            ipConfig: { type: 'v4', value: { ip: { type: 'explicit', value: '172.30.0.50' } } },
          },
        ],
      },
    })
    const message = "The IP address '172.30.0.50' is not available"
    await expectRefused(page, api, message)
    await expectAtPart(page, 'Networking', message)
  })
})

test('the group is gone @long', async ({ page, api, seed }) => {
  await seed.group('mill', 'apart')
  await open(page)
  await fromImage(page)
  const add = section(page, 'Advanced').getByRole('button', { name: 'Add to group' })
  await add.click()
  const modal = page.getByRole('dialog')
  await choose(modal.getByRole('combobox'), 'apart')
  await modal.getByRole('button', { name: 'Add to group' }).click()
  await expect(modal).toBeHidden()
  await ok(api.antiAffinityGroupDelete({ path: { antiAffinityGroup: 'apart' }, query }))
  const message = 'Not found: anti-affinity-group with name "apart"'
  await expectRefused(page, api, message)
  await expectAtPart(page, 'Advanced', message)
  // The missing group can be removed, and the rest is sent.
  await page.getByRole('button', { name: 'remove anti-affinity group apart' }).click()
  await submit(page)
  await expect(page).toHaveURL('/projects/mill/instances/wheel/storage')
})

test('an SSH key is gone @long', async ({ page, api }) => {
  const { id } = await ok(
    api.currentUserSshKeyCreate({
      body: { name: 'laptop', description: '', publicKey: 'ssh-ed25519 AAAA me@here' },
    }),
  )
  await open(page)
  await fromImage(page)
  await ok(api.currentUserSshKeyDelete({ path: { sshKey: 'laptop' } }))
  const message = `Not found: ssh-key with id "${id}"`
  await expectRefused(page, api, message)
  const keys = section(page, 'Authentication')
  await expect(keys.getByText(message)).toBeInViewport()
  await expect(keys.getByRole('checkbox', { name: 'laptop' })).toBeFocused()
  await keys.getByRole('checkbox', { name: 'laptop' }).uncheck()
  await submit(page)
  await expect(page).toHaveURL('/projects/mill/instances/wheel/storage')
})
