import {
  type ImageServer,
  loopback,
  noise,
  startImageServer,
} from '../../../../packages/control-plane/test/support/image-server.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../../../support/accessibility.ts'
import { ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { confirm, dialog, expectFieldError, row, toasts } from '../../../support/ui.ts'

test.use({ hostConfig: { imageNetworks: loopback } })

let images: ImageServer
test.beforeEach(async () => void (images = await startImageServer()))
test.afterEach(() => images.close())

test('an image from a URL shows its progress, fails with its reason, and is tried again', async ({
  page,
  project,
}) => {
  const path = '/flour.raw'
  const half = { bytes: noise(8 * 1024 ** 2), etag: '"one"', hangsAfter: 5 * 1024 ** 2 }
  images.files[path] = half
  await page.goto(`/projects/${project.name}/images-new`)
  await dialog(page, 'Upload image').getByRole('radio', { name: 'URL' }).check()
  const form = dialog(page, 'Import image')
  await form.getByRole('textbox', { name: 'Name' }).fill('flour')
  const url = form.getByRole('textbox', { name: 'URL', exact: true })
  await url.fill('images.example/flour')
  await form.getByRole('button', { name: 'Import image' }).click()
  await expectFieldError(url, 'Must be an absolute URL')
  await url.fill(images.url + path)
  await form.getByRole('button', { name: 'Checksum' }).click()
  await page.getByRole('option', { name: 'SHA-256' }).click()
  await form.getByRole('textbox', { name: 'SHA-256' }).fill('0'.repeat(64))
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Import image' }).click()

  await expect(page.getByText('Downloading flour')).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Download progress' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Cancel download' }).click()
  await confirm(page, 'Cancel download')
  await expect(page.getByText('The download of flour was cancelled')).toBeVisible()

  // The checksum is wrong, so what was typed is edited.
  images.files[path] = { bytes: half.bytes }
  await page.getByRole('button', { name: 'Try again' }).click()
  const failed = page.getByRole('alert').filter({ hasText: 'The download of flour failed' })
  await expect(failed).toContainText('The checksum of the file is')
  await expectNoSidewaysScroll(page)
  await failed.getByRole('link', { name: 'Edit' }).click()
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('flour')
  await form.getByRole('button', { name: 'Checksum' }).click()
  await page.getByRole('option', { name: 'None' }).click()
  await form.getByRole('button', { name: 'Import image' }).click()
  await expect(row(page, 'flour')).toBeVisible()
  await expect(failed).toBeHidden()
})

test('a download for the silo shows its progress at the images of the silo @long', async ({
  page,
  project,
  api,
}) => {
  const path = '/shared.raw'
  images.files[path] = {
    bytes: noise(8 * 1024 ** 2),
    etag: '"one"',
    hangsAfter: 5 * 1024 ** 2,
  }
  const body = { name: 'shared', description: '', os: 'Plan 9', version: '4' }
  const query = { project: project.name }
  await ok(
    api.imageDownloadCreate({ query, body: { ...body, url: images.url + path, forSilo: true } }),
  )
  await page.goto('/images')
  const download = page.getByRole('main')
  await expect(download.getByText('Downloading shared')).toBeVisible()
  await expect(download.getByRole('progressbar', { name: 'Download progress' })).toBeVisible()
  await expectAccessible(page)
  await download.getByRole('link', { name: project.name }).click()
  await page.getByRole('button', { name: 'Cancel download' }).click()
  await confirm(page, 'Cancel download')
  await expect(page.getByText('The download of shared was cancelled')).toBeVisible()
})

test('operators list well-known images, of which users make theirs @long', async ({
  page,
  project,
}) => {
  const path = '/ours.raw'
  images.files[path] = { bytes: noise(1024) }
  await page.goto('/system/image-catalog')
  await expect(row(page, 'Debian 13')).toContainText('by a list')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Add image' }).click()
  const form = dialog(page, 'Add image')
  const name = form.getByRole('textbox', { name: 'Name' })
  await name.fill('Debian 13')
  await form.getByRole('button', { name: 'Add image' }).click()
  await expectFieldError(name, 'Another image has this name')
  await name.fill('Our Linux 5')
  await form.getByRole('textbox', { name: 'OS' }).fill('Our Linux')
  await form.getByRole('textbox', { name: 'URL' }).fill('http://images.example/ours.raw')
  await form.getByRole('textbox', { name: 'User' }).fill('miller')
  await form.getByRole('button', { name: 'Add image' }).click()
  await expect(toasts(page)).toContainText('Image added')
  await row(page, 'Our Linux 5').getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const edit = dialog(page, 'Edit image')
  await edit.getByRole('textbox', { name: 'URL' }).fill(images.url + path)
  await edit.getByRole('button', { name: 'Update image' }).click()
  await expect(row(page, 'Our Linux 5')).toContainText(images.url)

  await page.goto(`/projects/${project.name}/images-new`)
  await dialog(page, 'Upload image').getByRole('radio', { name: 'Well-known image' }).check()
  const download = dialog(page, 'Import image')
  await download.getByRole('button', { name: 'Well-known image' }).click()
  await page.getByRole('option', { name: 'Our Linux 5' }).click()
  await expect(download.getByText('Its user is miller')).toBeVisible()
  await expect(download.getByRole('textbox', { name: 'Name' })).toHaveValue('our-linux-5')
  await expectAccessible(page)
  await download.getByRole('button', { name: 'Import image' }).click()
  await expect(row(page, 'our-linux-5')).toContainText('Our Linux')

  await page.goto('/system/image-catalog')
  await page.getByRole('button', { name: 'Restore default list' }).click()
  await confirm(page, 'Restore default list')
  await expect(row(page, 'Our Linux 5')).toBeHidden()
  await expect(row(page, 'Debian 13')).toBeVisible()
})
