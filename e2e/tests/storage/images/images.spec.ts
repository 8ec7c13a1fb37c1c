import { expect, test } from '../../../support/test.ts'
import {
  closeByEscape,
  confirm,
  dialog,
  heading,
  holdToast,
  row,
  rowAction,
  toasts,
} from '../../../support/ui.ts'
import { expectAccessible } from '../../../support/accessibility.ts'
import { seedImage } from '../../../support/images.ts'

test('an image of a project is viewed and deleted @long', async ({ page, project, api, seed }) => {
  await page.goto(`/projects/${project.name}/images`)
  await expect(heading(page, 'Project Images')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No images' })).toBeVisible()
  await expect(page.getByText('Create an image to see it here')).toBeVisible()
  await seedImage({ api, seed }, project.name, 'flour')
  await expect(row(page, 'flour').getByRole('cell').nth(3)).toHaveText('debian')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'flour' }).click()
  await expect(page).toHaveURL('/projects/mill/images/flour')
  await expect(page).toHaveTitle('Image / Images / mill / Projects / Steading Console')
  const details = dialog(page, 'Image details')
  await expect(details).toContainText('VisibilityProject')
  await expect(details).toContainText('4,096 bytes')
  await expectAccessible(page)
  await page.goto('/projects/mill/images/flour/edit')
  await expect(page).toHaveURL('/projects/mill/images/flour')
  await closeByEscape(page)
  await rowAction(page, 'flour', 'Delete')
  await expect(dialog(page, 'Delete image')).toContainText('Are you sure you want to delete flour?')
  await confirm(page, 'Delete image')
  await expect(toasts(page)).toContainText('Image flour deleted')
  await expect(page.getByRole('heading', { name: 'No images' })).toBeVisible()
})

test('an image is promoted to the silo, and demoted to another project @long', async ({
  page,
  project,
  api,
  seed,
}) => {
  test.slow()
  await seed.project('barn')
  await seedImage({ api, seed }, project.name, 'flour')
  await page.goto('/projects/mill/images')
  await rowAction(page, 'flour', 'Promote')
  const promote = dialog(page, 'Promote image')
  await expect(promote).toContainText('Are you sure you want to promote flour?')
  await expect(promote).toContainText(
    'Once an image has been promoted it is visible to all projects in a silo',
  )
  await expectAccessible(page)
  await promote.getByRole('button', { name: 'Promote' }).click()
  await holdToast(page, 'Image flour promoted')
  await expect(row(page, 'flour')).toBeHidden()
  await toasts(page).getByRole('link', { name: 'View silo images' }).click()
  await expect(page).toHaveURL('/images')
  await expect(heading(page, 'Silo Images')).toBeVisible()
  await page.getByRole('link', { name: 'flour' }).click()
  await expect(dialog(page, 'Image details')).toContainText('VisibilitySilo')
  await page.goto('/images/flour/edit')
  await expect(page).toHaveURL('/images/flour')
  await closeByEscape(page)

  await rowAction(page, 'flour', 'Demote')
  const demote = dialog(page, 'Demote image')
  await expect(demote).toContainText('Demoting: flour')
  await expect(demote).toContainText('only visible within the project')
  await expectAccessible(page)
  await demote.getByRole('button', { name: 'Demote' }).click()
  await expect(demote.getByText('Project is required')).toBeVisible()
  await demote.getByRole('combobox', { name: 'Project' }).click()
  await page.getByRole('option', { name: 'barn' }).click()
  await demote.getByRole('button', { name: 'Demote' }).click()
  await holdToast(page, 'Image flour demoted')
  await expect(row(page, 'flour')).toBeHidden()
  await toasts(page).getByRole('link', { name: 'View images in barn' }).click()
  await expect(page).toHaveURL('/projects/barn/images')
  await expect(row(page, 'flour')).toBeVisible()
})

test('an image of any project is promoted from the list of the silo @long', async ({
  page,
  project,
  api,
  seed,
}) => {
  await seed.project('barn')
  await seedImage({ api, seed }, project.name, 'flour')
  await page.goto('/images')
  await page.getByRole('button', { name: 'Promote image' }).click()
  const form = dialog(page, 'Promote image')
  const image = form.getByRole('button', { name: 'Image' })
  await expect(image).toBeDisabled()
  await expect(image).toHaveText('Select an image')
  await form.getByRole('combobox', { name: 'Project' }).click()
  await page.getByRole('option', { name: 'barn' }).click()
  await expect(image).toHaveText('No items')
  await form.getByRole('combobox', { name: 'Project' }).fill('mill')
  await page.getByRole('option', { name: 'mill' }).click()
  await image.click()
  await page.getByRole('option', { name: 'flour' }).click()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Promote' }).click()
  await expect(toasts(page)).toContainText('Image flour promoted')
  await expect(row(page, 'flour')).toBeVisible()
  await page.getByRole('button', { name: 'Promote image' }).click()
  await expect(form.getByRole('combobox', { name: 'Project' })).toHaveValue('')
})
