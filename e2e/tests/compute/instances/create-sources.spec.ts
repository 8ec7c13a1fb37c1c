import type { Page } from '@playwright/test'
import { CD_MEANING } from '@steading/api/rules'
import { expectAccessible } from '../../../support/accessibility.ts'
import { seedImage } from '../../../support/images.ts'
import { GiB, ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { choose, dialog, expectFieldError, heading } from '../../../support/ui.ts'

const NEW = '/projects/mill/instances-new'
const PAGE = '/projects/mill/instances/wheel/storage'
const query = { project: 'mill' }

const nameField = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true })
const submit = (page: Page) => page.getByRole('button', { name: 'Create instance' }).click()
const summary = (page: Page) => page.getByRole('complementary', { name: 'Summary' })
const chooseImage = (page: Page) =>
  choose(page.getByRole('combobox', { name: 'Image' }), 'debian-13')

async function open(page: Page): Promise<void> {
  await page.goto(NEW)
  await expect(heading(page, 'Create instance')).toBeVisible()
}

test.use({ viewport: { width: 1440, height: 900 } })
test.beforeEach(async ({ project }) => void project)

test.describe('a boot disk from a snapshot', () => {
  test('there are no snapshots yet @long', async ({ page }) => {
    await open(page)
    await page.getByRole('tab', { name: 'Snapshots' }).click()
    await expect(page.getByText('No snapshots found')).toBeVisible()
    await expect(page.getByText('Create a snapshot of a disk to see it here')).toBeVisible()
  })

  test('has the size and contents of the snapshot, and shows its source @long', async ({
    page,
    api,
    seed,
  }) => {
    await seed.disk('mill', 'sacks', { size: 14 * GiB })
    await ok(
      api.snapshotCreate({ query, body: { name: 'harvest', description: '', disk: 'sacks' } }),
    )
    await open(page)
    await nameField(page).fill('wheel')
    await page.getByRole('tab', { name: 'Snapshots' }).click()
    await submit(page)
    const snapshot = page.getByRole('combobox', { name: 'Snapshot' })
    await expectFieldError(snapshot, 'Snapshot is required')
    await choose(snapshot, 'harvest')
    const size = page.getByRole('spinbutton', { name: 'Disk size (GiB)' })
    await expect(size).toHaveValue('20')
    await size.fill('3')
    await size.blur()
    await expect(size).toHaveValue('14')
    await expect(summary(page)).toContainText('from snapshot harvest')
    await expect(summary(page)).toContainText('14 GiB')
    await page.getByRole('checkbox', { name: 'Make disk read-only' }).check()
    await expect(size).toBeDisabled()
    await expect(page.getByText('A read-only disk is as large as its snapshot')).toBeVisible()
    await page.getByRole('checkbox', { name: 'Make disk read-only' }).uncheck()
    await size.fill('16')
    await expectAccessible(page)
    await submit(page)
    await expect(page).toHaveURL(PAGE)
    const boot = page.getByRole('table', { name: 'Boot disk' })
    await expect(boot.getByRole('button', { name: 'harvest', exact: true })).toBeVisible()
    const { items } = await ok(api.instanceDiskList({ path: { instance: 'wheel' }, query }))
    expect(items).toMatchObject([
      { size: 16 * GiB, description: 'Created as a boot disk for wheel' },
    ])
    expect(items[0]?.name).toMatch(/^wheel-harvest-[0-9a-f]{6}$/)
  })

  test('only ready snapshots are offered @long', async ({ page, api, seed, host }) => {
    await seed.disk('mill', 'sacks')
    for (const name of ['harvest', 'broken']) {
      await ok(api.snapshotCreate({ query, body: { name, description: '', disk: 'sacks' } }))
    }
    await host.server.controlPlane.database.db
      .updateTable('snapshot')
      .set({ state: 'faulted' })
      .where('name', '=', 'broken')
      .execute()
    await open(page)
    await page.getByRole('tab', { name: 'Snapshots' }).click()
    await page.getByRole('combobox', { name: 'Snapshot' }).click()
    await expect(page.getByRole('option')).toHaveCount(1)
    await expect(page.getByRole('option', { name: 'harvest' })).toBeVisible()
  })
})

test.describe('an image with the blocks of a CD says how machines see it', () => {
  const hint = (page: Page) => page.getByText(CD_MEANING)

  test('in the form of an instance @long', async ({ page, api, seed }) => {
    for (const [name, blockSize] of [
      ['installer', 2048],
      ['plain', 512],
    ] as const) {
      await seedImage({ api, seed }, 'mill', name, blockSize)
    }
    await open(page)
    await page.getByRole('tab', { name: 'Project images' }).click()
    const image = page.getByRole('combobox', { name: 'Image' })
    await choose(image, 'plain')
    await expect(summary(page)).toContainText('plain')
    await expect(hint(page)).toBeHidden()
    await choose(image, 'installer')
    await expect(hint(page)).toBeVisible()
    await page.getByRole('tab', { name: 'Silo images' }).click()
    await expect(hint(page)).toBeHidden()
    await page.getByRole('tab', { name: 'Project images' }).click()
    await expect(hint(page)).toBeVisible()
    await expectAccessible(page)
  })

  test('in the form of a disk @long', async ({ page, api, seed }) => {
    await seedImage({ api, seed }, 'mill', 'installer', 2048)
    await page.goto('/projects/mill/disks-new')
    const form = dialog(page, 'Create disk')
    await form.getByRole('radio', { name: 'Image' }).check()
    await expect(hint(page)).toBeHidden()
    await form.getByRole('button', { name: 'Source image' }).click()
    await page.getByRole('option', { name: 'installer' }).click()
    await expect(hint(page)).toBeVisible()
  })
})

test.describe('user data', () => {
  /** User data received by the control plane, in bytes. */
  const submitted = async (page: Page): Promise<Buffer> => {
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await submit(page)
    const { user_data } = (await sent).postDataJSON() as { user_data?: string }
    await expect(page).toHaveURL(PAGE)
    return Buffer.from(user_data ?? '', 'base64')
  }
  const file = (page: Page) => page.getByLabel('User Data', { exact: true })

  test.beforeEach(async ({ page }) => {
    await open(page)
    await nameField(page).fill('wheel')
    await chooseImage(page)
  })

  test('is a file of any bytes, which can be removed again @long', async ({ page }) => {
    const bytes = Buffer.from(Uint8Array.from({ length: 1024 }, (_, index) => index % 256))
    const pick = (name: string, buffer: Buffer) =>
      file(page).setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
    await pick('wrong.bin', Buffer.from('x'))
    await expect(summary(page)).toContainText('wrong.bin')
    await page.getByRole('button', { name: 'Clear file' }).click()
    await expect(summary(page)).not.toContainText('wrong.bin')
    await pick('seed.bin', bytes)
    await expect(page.getByText('(1 KiB)')).toBeVisible()
    await expect(summary(page)).toContainText('seed.bin, 1 KiB')
    // A tooltip would be outside of all landmarks.
    await page.mouse.move(0, 0)
    await expectAccessible(page)
    expect(await submitted(page)).toEqual(bytes)
  })

  test('is a text of any characters @long', async ({ page }) => {
    const text = '#cloud-config\nhostname: mühle-穀物 🌾\n'
    await page.getByRole('tab', { name: 'Text' }).click()
    await page.getByRole('textbox', { name: 'User Data' }).fill(text)
    await expect(summary(page)).toContainText(`Text, ${Buffer.byteLength(text)} B`)
    await expectAccessible(page)
    expect((await submitted(page)).toString()).toBe(text)
  })

  test('a file with a byte order mark gets a warning, whose button removes the mark @long', async ({
    page,
  }) => {
    const buffer = Buffer.from('\uFEFF#cloud-config\npackages: [nginx]\n')
    await file(page).setInputFiles({ name: 'user-data', mimeType: '', buffer })
    await expect(page.getByText('This begins with an invisible mark (BOM)')).toBeVisible()
    await page.getByRole('button', { name: 'Remove it' }).click()
    await expect(page.getByText('This begins with an invisible mark (BOM)')).toBeHidden()
    expect(await submitted(page)).toEqual(buffer.subarray(3))
  })

  test('only the visible input is sent @long', async ({ page }) => {
    await page.getByRole('tab', { name: 'Text' }).click()
    await page.getByRole('textbox', { name: 'User Data' }).fill('not this')
    await page.getByRole('tab', { name: 'File', exact: true }).click()
    await file(page).setInputFiles({ name: 'a', mimeType: '', buffer: Buffer.from('but this') })
    expect((await submitted(page)).toString()).toBe('but this')
  })

  test('is at most 32 KiB, in bytes rather than characters @long', async ({ page }) => {
    await file(page).setInputFiles({ name: 'a', mimeType: '', buffer: Buffer.alloc(32_769) })
    await expect(
      page.getByText('Must be 32 KiB or smaller; this file has 32,769 bytes'),
    ).toBeVisible()
    await page.getByRole('tab', { name: 'Text' }).click()
    const text = page.getByRole('textbox', { name: 'User Data' })
    await text.fill('ü'.repeat(16_385))
    await expectFieldError(text, 'Must be 32 KiB or smaller; this text has 32,770 bytes')
    await submit(page)
    await expect(text).toBeFocused()
    await text.fill('ü'.repeat(16_384))
    await expect(text).not.toHaveAttribute('aria-invalid', 'true')
    expect(await submitted(page)).toHaveLength(32_768)
  })
})
