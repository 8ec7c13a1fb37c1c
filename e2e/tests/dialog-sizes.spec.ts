/** Dialogs keep their place, their size and the focus while their content comes. */
import type { Page } from '@playwright/test'
import { fillUpload, holdChunks, imageFile, progress, seedImage } from '../support/images.ts'
import { expectUploaded, submitUpload, uploadStep } from '../support/images.ts'
import { hold } from '../support/faults.ts'
import { boxOfAll, bulkAction, jobDialog } from '../support/jobs.ts'
import { expect, test } from '../support/test.ts'
import { dialog, rowAction } from '../support/ui.ts'

/** Notes the place of the dialog with a title in every frame. @returns the places it has had */
async function placesOf(page: Page, title: string): Promise<() => Promise<string[]>> {
  const places = await page.evaluateHandle((begin) => {
    const noted = new Set<string>()
    const frames: Element[] = []
    const note = () => {
      for (const each of document.querySelectorAll('[role=dialog]')) {
        const frame = each.parentElement
        if (!frame || !each.querySelector('h2')?.textContent.startsWith(begin)) continue
        if (!frames.includes(frame)) frames.push(frame)
        // Without the transform of the animation in which it appears.
        const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = frame
        const place = [offsetLeft, offsetTop, offsetWidth, offsetHeight].join(' ')
        noted.add(`frame ${frames.indexOf(frame)} at ${place}`)
      }
      requestAnimationFrame(note)
    }
    note()
    return noted
  }, title)
  return () => places.evaluate((noted) => [...noted])
}

test('of a plan: while it loads, when it is there, while it runs and when it is done', async ({
  page,
  project,
  seed,
}) => {
  for (const name of ['axle', 'beam']) await seed.instance(project.name, name)
  await page.goto(`/projects/${project.name}/instances`)
  await boxOfAll(page).check()
  const places = await placesOf(page, 'Start')
  const release = await hold(page, '**/x/v1/jobs')
  await bulkAction(page, 'Start').click()
  await expect(jobDialog(page).getByRole('group', { name: 'Loading' })).toBeVisible()
  release()
  const start = jobDialog(page).getByRole('button', { name: 'Start 2 instances' })
  await expect(start).toBeVisible()
  await start.click()
  await expect(jobDialog(page).getByText('2 started').first()).toBeVisible()
  await expect(jobDialog(page)).toContainText('Finished')
  // What was clicked is gone with the plan; the focus is still in the dialog.
  await expect(
    jobDialog(page)
      .locator(':focus')
      .or(page.getByRole('dialog').and(page.locator(':focus'))),
  ).toHaveCount(1)
  expect(await places()).toHaveLength(1)
})

test('of a question before a deletion: while it is read, and when it is there', async ({
  page,
  project,
  seed,
}) => {
  await seed.disk(project.name, 'grain')
  await seed.instance(project.name, 'wheel', { disks: [{ type: 'attach', name: 'grain' }] })
  await page.goto(`/projects/${project.name}/instances`)
  const places = await placesOf(page, 'Delete instance')
  const release = await hold(page, '**/x/v1/**/deletion')
  await rowAction(page, 'wheel', 'Delete')
  const question = dialog(page, 'Delete instance')
  await expect(question.getByRole('group', { name: 'Loading' })).toBeVisible()
  release()
  await expect(question.getByRole('heading', { name: 'Stays' })).toBeVisible()
  await question.getByRole('checkbox').check()
  await expect(question.getByRole('button', { name: 'Delete with 1 other thing' })).toBeVisible()
  expect(await places()).toHaveLength(1)
})

test('of a question that is read at once: it opens with its content', async ({
  page,
  project,
  seed,
}) => {
  await seed.disk(project.name, 'grain')
  await seed.instance(project.name, 'wheel', { disks: [{ type: 'attach', name: 'grain' }] })
  await page.goto(`/projects/${project.name}/instances`)
  const places = await placesOf(page, 'Delete instance')
  await rowAction(page, 'wheel', 'Delete')
  const question = dialog(page, 'Delete instance')
  await expect(question.getByRole('heading', { name: 'Stays' })).toBeVisible()
  expect(await places()).toHaveLength(1)
})

test('of a deletion of little: it is small', async ({ page, project, seed }) => {
  await seed.disk(project.name, 'grain')
  await page.goto(`/projects/${project.name}/disks`)
  const places = await placesOf(page, 'Delete disk')
  const release = await hold(page, '**/x/v1/**/deletion')
  await rowAction(page, 'grain', 'Delete')
  const question = dialog(page, 'Delete disk')
  await expect(question.getByRole('group', { name: 'Loading' })).toBeVisible()
  release()
  await expect(question.getByRole('button', { name: 'Confirm' })).toBeEnabled()
  expect(await places()).toHaveLength(1)
})

test('of an upload: through all steps, to its end', async ({
  page,
  project,
  consoleErrors,
}, info) => {
  consoleErrors.expect(/status of 404/)
  const file = await imageFile(info.outputPath('flour.raw'))
  await page.goto(`/projects/${project.name}/images-new`)
  await fillUpload(page, file)
  const places = await placesOf(page, 'Image upload progress')
  const { release } = await holdChunks(page, 4)
  await submitUpload(page)
  await expect(uploadStep(page, 'Upload image file')).toHaveAttribute('data-status', 'running')
  release()
  await expectUploaded(page)
  await expect(progress(page)).toContainText('The image is ready')
  expect(await places()).toHaveLength(1)
})

test('of an upload that fails', async ({ page, project, api, seed, consoleErrors }, info) => {
  consoleErrors.expect(/status of 40[04]|ObjectAlreadyExists/)
  const file = await imageFile(info.outputPath('flour.raw'))
  await page.goto(`/projects/${project.name}/images-new`)
  await fillUpload(page, file)
  const places = await placesOf(page, 'Image upload progress')
  const { release } = await holdChunks(page, 4)
  await submitUpload(page)
  await expect(uploadStep(page, 'Upload image file')).toHaveAttribute('data-status', 'running')
  // Somebody else takes the name meanwhile.
  await seedImage({ api, seed }, project.name, 'flour')
  release()
  await expect(progress(page).getByRole('alert')).toContainText('already exists')
  expect(await places()).toHaveLength(1)
})

test.describe('of the login page', () => {
  test.use({ signedIn: false })

  test('messages do not move its fields and its button', async ({ page, consoleErrors }) => {
    consoleErrors.expect(/401|API error/)
    await page.goto('/login/main/local')
    const username = page.getByRole('textbox', { name: 'Username' })
    const submit = page.getByRole('button', { name: 'Sign in' })
    const placeOfAll = async () => [
      await page.getByRole('heading', { name: 'main' }).boundingBox(),
      await username.boundingBox(),
      await page.getByRole('textbox', { name: 'Password' }).boundingBox(),
      await submit.boundingBox(),
    ]
    await expect(submit).toBeVisible()
    const before = await placeOfAll()
    await submit.click()
    await expect(page.getByText('Password is required')).toBeVisible()
    expect(await placeOfAll()).toEqual(before)
    await username.fill('admin')
    await page.getByRole('textbox', { name: 'Password' }).fill('wrong')
    await submit.click()
    await expect(page.getByText('Could not sign in. Please try again.')).toBeVisible()
    expect(await placeOfAll()).toEqual(before)
  })
})
