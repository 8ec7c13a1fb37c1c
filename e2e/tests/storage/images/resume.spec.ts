import type { Page } from '@playwright/test'
import { expect, test } from '../../../support/test.ts'
import {
  closeByEscape,
  confirm,
  dialog,
  expectFieldError,
  openRowActions,
  rowAction,
} from '../../../support/ui.ts'
import { expectAccessible } from '../../../support/accessibility.ts'
import {
  expectUploaded,
  fillUpload,
  holdChunks,
  imageFile,
  leftovers,
  progress,
  submitUpload,
} from '../../../support/images.ts'
import { boxOfAll, bulkAction, jobDialog } from '../../../support/jobs.ts'
import { ok } from '../../../support/seed.ts'

test.beforeEach(({ consoleErrors }) => {
  consoleErrors.expect(/status of 404/)
})

/**
 * An upload whose page is reloaded midway.
 * @returns the acknowledged chunks
 */
async function interrupt(page: Page, file: string): Promise<number[]> {
  await page.goto('/projects/mill/images-new')
  await fillUpload(page, file)
  const { acknowledged, release } = await holdChunks(page, 4)
  await submitUpload(page)
  await expect.poll(() => acknowledged.length, { intervals: [20] }).toBe(4)
  page.on('dialog', (question) => void question.accept())
  await page.goto('/projects/mill/images')
  release()
  return acknowledged.slice()
}

test.use({ ownContext: true })

test('an upload resumes after a reload, with the missing chunks @long', async ({
  page,
  project,
  api,
}, info) => {
  test.slow()
  const file = await imageFile(info.outputPath('flour.raw'))
  const arrived = await interrupt(page, file)
  await expect(page.getByText('An upload was interrupted')).toBeVisible()
  await expect(page.getByText('flour.raw was being uploaded as flour')).toBeVisible()
  await expectAccessible(page)
  const [name] = await leftovers(api, project.name)
  expect(name).toMatch(/^tmp-for-image-/)

  await page.goto('/projects/mill/disks')
  await rowAction(page, name!, 'Resume upload')
  await expect(page).toHaveURL(`/projects/mill/disks/${name}/resume-upload`)
  const form = dialog(page, 'Resume upload')
  await expect(form).toContainText('flour.raw')
  await expectAccessible(page)
  const other = await imageFile(info.outputPath('other.raw'))
  await form.getByLabel('Image file').setInputFiles(other)
  await form.getByRole('button', { name: 'Resume upload' }).click()
  await expectFieldError(form.getByLabel('Image file'), 'Choose the same file: flour.raw')

  const { seen } = await holdChunks(page, 100)
  await form.getByLabel('Image file').setInputFiles(file)
  await form.getByRole('button', { name: 'Resume upload' }).click()
  await expectUploaded(page)
  expect(seen.filter((offset) => arrived.includes(offset))).toEqual([])
  expect(seen).toHaveLength(10 - arrived.length)
  await expect(progress(page)).toContainText('SHA-256 verified')
  await progress(page).getByRole('button', { name: 'Done' }).click()
  await expect(page).toHaveURL('/projects/mill/images')
  await expect(page.getByText('An upload was interrupted')).toBeHidden()
  const image = await ok(api.imageView({ path: { image: 'flour' }, query: { project: 'mill' } }))
  expect(image.description).toBe('Ground')
  expect(await leftovers(api, 'mill')).toEqual([])
})

test('in another browser the content is compared @long', async ({ page, project, api }, info) => {
  const file = await imageFile(info.outputPath('flour.raw'), 4)
  await interrupt(page, file)
  await page.evaluate(() => localStorage.clear())
  const [name] = await leftovers(api, project.name)
  await page.goto(`/projects/mill/disks/${name}/resume-upload`)
  const form = dialog(page, 'Resume upload')
  await form.getByRole('textbox', { name: 'Name' }).fill('meal')
  await form
    .getByLabel('Image file')
    .setInputFiles(await imageFile(info.outputPath('other.raw'), 4))
  await form.getByRole('button', { name: 'Resume upload' }).click()
  await expect(form.getByText('its contents differ')).toBeVisible()
  await form.getByLabel('Image file').setInputFiles(file)
  await form.getByRole('button', { name: 'Resume upload' }).click()
  await expectUploaded(page)
})

test('leftovers of an upload are deleted @long', async ({ page, project, api }, info) => {
  await interrupt(page, await imageFile(info.outputPath('flour.raw'), 4))
  const [name] = await leftovers(api, project.name)
  await page.goto('/projects/mill/disks')
  const menu = await openRowActions(page, name!)
  await expect(menu.getByRole('menuitem')).toHaveText([
    'Copy ID',
    'Star',
    'History',
    'Who can…',
    'Snapshot',
    'Show as code',
    'Resume upload',
    'Delete',
  ])
  await closeByEscape(page)
  await rowAction(page, name!, 'Delete')
  await confirm(page, 'Delete disk')
  await expect(page.getByRole('heading', { name: 'No disks' })).toBeVisible()
  expect(await leftovers(api, 'mill')).toEqual([])
})

test('the leftovers of another browser are discarded from the banner @long', async ({
  page,
  project,
  api,
}, info) => {
  await interrupt(page, await imageFile(info.outputPath('flour.raw'), 4))
  // As in another browser, which does not know whether the upload is still going on.
  await page.evaluate(() => localStorage.clear())
  await page.clock.install()
  await page.goto(`/projects/${project.name}/images`)
  await expect(page.getByRole('heading', { name: 'No images' })).toBeVisible()
  const banner = page.getByText('started in another browser')
  await expect(async () => {
    await page.clock.runFor(3000)
    await expect(banner).toBeVisible({ timeout: 100 })
  }).toPass()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Discard' }).click()
  const question = dialog(page, 'Delete disk')
  await expect(question).toContainText('The data uploaded so far will be lost.')
  await page.clock.resume()
  await confirm(page, 'Delete disk')
  await expect(banner).toBeHidden()
  expect(await leftovers(api, project.name)).toEqual([])
})

test('the leftovers of several uploads are deleted at once @long', async ({
  page,
  project,
  api,
  seed,
}) => {
  const importing = {
    type: 'distributed',
    diskSource: { type: 'importing_blocks', blockSize: 512 },
  }
  for (const name of ['tmp-for-image-1', 'tmp-for-image-2']) {
    await seed.disk(project.name, name, { diskBackend: importing as never })
  }
  await seed.disk(project.name, 'grain')
  await page.goto(`/projects/${project.name}/disks`)
  await boxOfAll(page).check()
  await bulkAction(page, 'Delete').click()
  await expect(jobDialog(page).getByText('3 will be deleted in 5 steps')).toBeVisible()
  await page.getByRole('button', { name: 'Delete 3 disks' }).click()
  await expect(jobDialog(page).getByText('5 steps done').first()).toBeVisible()
  expect(await leftovers(api, project.name)).toEqual([])
})
