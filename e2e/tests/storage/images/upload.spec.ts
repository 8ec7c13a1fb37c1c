import { readFile } from 'node:fs/promises'
import { imageProblems } from '@steading/api/rules'
import { expect, test } from '../../../support/test.ts'
import { intercept } from '../../../support/faults.ts'
import { closeByEscape, dialog, expectFieldError, row } from '../../../support/ui.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../../../support/accessibility.ts'
import {
  answerQuestions,
  CHUNK,
  expectUploaded,
  fillUpload,
  holdChunks,
  imageFile,
  leftovers,
  MiB,
  progress,
  seedImage,
  submitUpload,
  uploadForm,
  uploadStep,
} from '../../../support/images.ts'
import { GiB, ok } from '../../../support/seed.ts'

test.beforeEach(({ consoleErrors }) => {
  // The browser's own message about the unused name.
  consoleErrors.expect(/status of 404/)
})

test('a file becomes an image, byte by byte', async ({
  page,
  project,
  api,
  session,
  host,
}, info) => {
  test.slow()
  const file = await imageFile(info.outputPath('flour.raw'))
  await page.goto(`/projects/${project.name}/images`)
  // One is in the header, and one in the empty list.
  await expect(page.getByRole('link', { name: 'Upload image' })).toHaveCount(2)
  await page.getByRole('link', { name: 'Upload image' }).last().click()
  await expect(page).toHaveTitle('Upload image / Images / mill / Projects / Steading Console')
  await fillUpload(page, file)
  await expectAccessible(page)
  const { seen, release } = await holdChunks(page, 4)
  await submitUpload(page)
  const writing = uploadStep(page, 'Upload image file')
  await expect(writing).toHaveAttribute('data-status', 'running')
  await expect(uploadStep(page, 'Create temporary disk')).toHaveAttribute('data-status', 'complete')
  await expect(uploadStep(page, 'Create image')).toHaveAttribute('data-status', 'ready')
  await expect(progress(page).getByRole('progressbar', { name: 'Upload progress' })).toBeVisible()
  await expect(writing).toContainText('flour.raw')
  await expect(progress(page).getByRole('button', { name: 'Done' })).toBeDisabled()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  release()
  await expectUploaded(page)
  await expect(writing).toContainText('6.00 MiB / 6.00 MiB')
  await expect(writing).toContainText('100%')
  await expect(writing).toContainText('SHA-256 verified')
  // Two of its twelve chunks are zeros. A chunk held back for too long has been sent again.
  expect([...new Set(seen)].toSorted((a, b) => a - b)).toEqual(
    [0, 1, 4, 5, 6, 7, 8, 9, 10, 11].map((chunk) => chunk * CHUNK),
  )
  await progress(page).getByRole('button', { name: 'Done' }).click()
  await expect(page).toHaveURL('/projects/mill/images')
  await expect(row(page, 'flour').getByRole('cell').nth(3)).toHaveText('debian')
  expect(await leftovers(api, 'mill')).toEqual([])

  const image = await ok(api.imageView({ path: { image: 'flour' }, query: { project: 'mill' } }))
  expect(image).toMatchObject({ size: GiB, blockSize: 512, version: '13' })
  const diskSource = { type: 'image' as const, imageId: image.id }
  await ok(
    api.diskCreate({
      query: { project: 'mill' },
      body: {
        name: 'copy',
        description: '',
        size: GiB,
        diskBackend: { type: 'distributed', diskSource },
      },
    }),
  )
  const bytes = await readFile(file)
  const contents = await fetch(`${host.url}/x/v1/disks/copy/contents?project=mill`, {
    headers: { cookie: `session=${session}`, range: `bytes=0-${bytes.length - 1}` },
  })
  expect(Buffer.compare(Buffer.from(await contents.arrayBuffer()), bytes)).toBe(0)
})

test('a large file is sent raw @long', async ({ page, project, host, session, api }, info) => {
  test.slow()
  const file = await imageFile(info.outputPath('large.raw'), 70)
  const sent: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'PUT' && pathname.endsWith('/contents')) sent.push(pathname)
  })
  await page.goto(`/projects/${project.name}/images-new`)
  await fillUpload(page, file)
  await submitUpload(page)
  await expectUploaded(page)
  await expect(uploadStep(page, 'Upload image file')).toContainText('SHA-256 verified')
  expect(sent).toHaveLength(18)
  const { id } = await ok(api.imageView({ path: { image: 'flour' }, query: { project: 'mill' } }))
  const diskSource = { type: 'image' as const, imageId: id }
  const body = {
    name: 'copy',
    description: '',
    size: GiB,
    diskBackend: { type: 'distributed' as const, diskSource },
  }
  await ok(api.diskCreate({ query: { project: 'mill' }, body }))
  const contents = await fetch(`${host.url}/x/v1/disks/copy/contents?project=mill`, {
    headers: { cookie: `session=${session}`, range: `bytes=0-${70 * MiB - 1}` },
  })
  expect(Buffer.compare(Buffer.from(await contents.arrayBuffer()), await readFile(file))).toBe(0)
})

test('problems with a file or a name are reported first @long', async ({
  page,
  project,
  api,
  seed,
}, info) => {
  await seedImage({ api, seed }, project.name, 'flour')
  await page.goto('/projects/mill/images-new')
  const form = uploadForm(page)
  await form.getByRole('radio', { name: '2048' }).check()
  await expect(form.getByText('Image file is required')).toBeHidden()
  const file = form.getByLabel('Image file')
  const odd = Buffer.alloc(1000)
  odd.set([0x55, 0xaa], 510)
  await file.setInputFiles({ name: 'odd.raw', mimeType: '', buffer: odd })
  await expectFieldError(file, imageProblems.notBlocks(2048))
  await expect(form.getByText('Name is required')).toBeHidden()
  await expect(form.getByText('This image might not be bootable')).toBeHidden()

  // Nothing in it says that it is a disk.
  const plain = { name: 'plain.qcow2', mimeType: '', buffer: Buffer.alloc(4096, 7) }
  await file.setInputFiles(plain)
  await expectFieldError(file, imageProblems.noDisk)
  await form.getByRole('checkbox', { name: 'This is a raw disk' }).check()
  await expect(file).not.toHaveAttribute('aria-invalid', 'true')
  await expect(form.getByText('This image might not be bootable')).toBeVisible()
  await expect(form.getByText('The name ends in .qcow2')).toBeVisible()
  await form.getByRole('button', { name: 'Clear file' }).click()
  const efi = Buffer.alloc(8192)
  efi.write('EFI PART', 512)
  await form.getByLabel('Image file').setInputFiles({ name: 'disk.raw', mimeType: '', buffer: efi })
  await expect(form.getByText('Block size might be set incorrectly')).toBeVisible()
  await form.getByRole('radio', { name: '512' }).check()
  await expect(form.getByText('Block size might be set incorrectly')).toBeHidden()
  await expect(form.getByText('This image might not be bootable')).toBeHidden()

  await fillUpload(page, await imageFile(info.outputPath('flour.raw'), 2))
  await submitUpload(page)
  await expect(form.getByText('Image name already exists')).toBeVisible()
  await expect(progress(page)).toBeHidden()
})

test('cancelling asks once, cleans up, and leaves the form for another attempt @long', async ({
  page,
  project,
  api,
  consoleErrors,
}, info) => {
  // The page reads the disk of an unfinished upload while it is deleted.
  consoleErrors.expect(/40[04].*\/import$/)
  await page.goto(`/projects/${project.name}/images-new`)
  await fillUpload(page, await imageFile(info.outputPath('flour.raw'), 4))
  const { release } = await holdChunks(page, 3)
  const asked = answerQuestions(page, [false, false, false, true])
  await submitUpload(page)
  await expect(uploadStep(page, 'Upload image file')).toHaveAttribute('data-status', 'running')
  await closeByEscape(page)
  expect(asked).toHaveLength(1)
  await progress(page).getByRole('button', { name: 'Close' }).click()
  expect(asked).toHaveLength(2)
  await page.mouse.click(20, 400)
  expect(asked).toHaveLength(3)
  await expect(progress(page)).toBeVisible()
  await progress(page).getByRole('button', { name: 'Cancel' }).click()
  expect(asked).toHaveLength(4)
  await expect(progress(page)).toBeHidden()
  await expect(uploadForm(page).getByRole('textbox', { name: 'Name' })).toHaveValue('flour')
  await expect.poll(() => leftovers(api, 'mill')).toEqual([])
  release()
  await submitUpload(page)
  await expectUploaded(page)
  await progress(page).getByRole('button', { name: 'Back' }).click()
  expect(asked).toHaveLength(4)
})

test('a failure is shown until the form is left @long', async ({
  page,
  project,
  api,
  consoleErrors,
}, info) => {
  consoleErrors.expect(/400|API error/)
  await page.goto(`/projects/${project.name}/images-new`)
  await fillUpload(page, await imageFile(info.outputPath('flour.raw'), 2))
  let tries = 0
  await page.route('**/bulk-write', async (route) => {
    const { offset } = route.request().postDataJSON() as { offset: number }
    if (offset !== 0) return route.continue()
    tries++
    await route.fulfill({
      status: 400,
      json: { message: 'the mill stands still', error_code: 'InvalidRequest', request_id: 'x' },
    })
  })
  await submitUpload(page)
  await expect(uploadStep(page, 'Upload image file')).toHaveAttribute('data-status', 'error')
  await expect(progress(page).getByRole('alert')).toContainText('The mill stands still')
  expect(tries).toBe(3)
  await expectAccessible(page)
  await progress(page).getByRole('button', { name: 'Back' }).click()
  await expect(uploadForm(page)).toBeVisible()
  await expect.poll(() => leftovers(api, 'mill')).toEqual([])
})

test('a paused upload sends nothing @long', async ({ page, project }, info) => {
  await page.goto(`/projects/${project.name}/images-new`)
  await fillUpload(page, await imageFile(info.outputPath('flour.raw'), 12))
  const { seen, acknowledged, release } = await holdChunks(page, 3)
  await submitUpload(page)
  await progress(page).getByRole('button', { name: 'Pause' }).click()
  release()
  await expect(uploadStep(page, 'Upload image file')).toContainText('Paused')
  // Pending chunks arrive, and no other takes their places: not while the page sends ten other
  // requests.
  await expect.poll(() => acknowledged.length === seen.length, { intervals: [20] }).toBe(true)
  const sent = seen.length
  await page.evaluate(async () => {
    for (let times = 0; times < 10; times++) await fetch('/v1/ping')
  })
  expect(seen).toHaveLength(sent)
  expect(sent).toBeLessThan(22)
  await progress(page).getByRole('button', { name: 'Resume' }).click()
  await expectUploaded(page)
})

test('an upload waits for a lost connection @long', async ({
  page,
  project,
  consoleErrors,
}, info) => {
  consoleErrors.expect(/ERR_/)
  await page.goto(`/projects/${project.name}/images-new`)
  await fillUpload(page, await imageFile(info.outputPath('flour.raw'), 2))
  const connect = await intercept(page, '**/bulk-write', (route) =>
    route.abort('connectionrefused'),
  )
  await submitUpload(page)
  await expect(uploadStep(page, 'Upload image file')).toContainText('Connection lost')
  connect()
  await expectUploaded(page)
})

test('a control plane without extensions accepts uploads @long', async ({
  page,
  project,
}, info) => {
  await page.route('**/x/v1/**', (route) => route.fulfill({ status: 404, body: 'not found' }))
  await page.goto(`/projects/${project.name}/images-new`)
  await fillUpload(page, await imageFile(info.outputPath('flour.raw'), 2))
  await submitUpload(page)
  await expectUploaded(page)
  await expect(progress(page)).not.toContainText('SHA-256')
})

test('a file can be dropped on the form @long', async ({ page, project }) => {
  await page.goto(`/projects/${project.name}/images-new`)
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([new Uint8Array(4096)], 'dropped.raw'))
    return transfer
  })
  const form = dialog(page, 'Upload image')
  await form.getByLabel('Image file').dispatchEvent('drop', { dataTransfer: data })
  await expect(form.getByText('dropped.raw')).toBeVisible()
})

test('a compressed file of an odd size is refused as compressed @long', async ({
  page,
  project,
}) => {
  await page.goto(`/projects/${project.name}/images-new`)
  const field = uploadForm(page).getByLabel('Image file')
  const kinds: [name: string, begin: string, words: string][] = [
    ['disk.qcow2.gz', '1f8b08', 'compressed by gzip'],
    ['disk.qcow2.xz', 'fd377a585a00', 'compressed by xz'],
    ['disk.raw.zst', '28b52ffd', 'compressed by Zstandard'],
    ['disk.raw.bz2', '425a6839', 'compressed by bzip2'],
    ['disk.zip', '504b0304', 'a ZIP archive'],
  ]
  for (const [name, begin, words] of kinds) {
    const buffer = Buffer.concat([Buffer.from(begin, 'hex'), Buffer.alloc(367)])
    await field.setInputFiles({ name, mimeType: '', buffer })
    await expectFieldError(field, imageProblems.unsupported(words))
  }
})
