/** Dialogs keep their position, size and focus while their content loads. */
import type { Page } from '@playwright/test'
import { fillUpload, holdChunks, imageFile, progress, seedImage } from '../support/images.ts'
import { expectUploaded, submitUpload, uploadStep } from '../support/images.ts'
import { fail, hold } from '../support/faults.ts'
import { boxOfAll, bulkAction, jobDialog } from '../support/jobs.ts'
import { ok } from '../support/seed.ts'
import { expect, test } from '../support/test.ts'
import { dialog, rowAction } from '../support/ui.ts'

/**
 * Records the position of a dialog in every frame.
 * @returns its positions
 */
async function placesOf(page: Page, title: string): Promise<() => Promise<string[]>> {
  const places = await page.evaluateHandle((begin) => {
    const noted = new Set<string>()
    const frames: Element[] = []
    const note = () => {
      for (const each of document.querySelectorAll('[role=dialog]')) {
        const frame = each.parentElement
        if (!frame || !each.querySelector('h2')?.textContent.startsWith(begin)) continue
        if (!frames.includes(frame)) frames.push(frame)
        // Without the transform of the opening animation.
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

/** Expects a dialog to keep its position and size through all steps. */
async function expectStill(page: Page, title: string, steps: () => Promise<void>) {
  const places = await placesOf(page, title)
  await steps()
  expect(await places()).toHaveLength(1)
}

test('a plan: while loading, loaded, running and done @long', async ({ page, project, seed }) => {
  for (const name of ['axle', 'beam']) await seed.instance(project.name, name)
  await page.goto(`/projects/${project.name}/instances`)
  await boxOfAll(page).check()
  const release = await hold(page, '**/x/v1/jobs')
  await expectStill(page, 'Start', async () => {
    await bulkAction(page, 'Start').click()
    await expect(jobDialog(page).getByRole('group', { name: 'Loading' })).toBeVisible()
    release()
    const start = jobDialog(page).getByRole('button', { name: 'Start 2 instances' })
    await expect(start).toBeVisible()
    await start.click()
    await expect(jobDialog(page).getByText('2 started').first()).toBeVisible()
    await expect(jobDialog(page)).toContainText('Finished')
  })
  // The clicked button disappears with the plan; the focus stays in the dialog.
  await expect(
    jobDialog(page)
      .locator(':focus')
      .or(page.getByRole('dialog').and(page.locator(':focus'))),
  ).toHaveCount(1)
})

for (const [when, isLate] of [
  ['at once', false],
  ['late', true],
] as const) {
  const tag = isLate ? [] : ['@long']
  test(
    `a confirmation of a deletion whose preview loads ${when}, also when a word has to be typed @long`,
    { tag },
    async ({ page, project, seed, api }) => {
      await ok(api.deletionPolicyUpdate({ body: { restorableHours: 0 } }))
      const names = Array.from({ length: 10 }, (_, index) => `disk-${index}`)
      await Promise.all(names.map((name) => seed.disk(project.name, name)))
      const disks = names.map((name) => ({ type: 'attach' as const, name }))
      await seed.instance(project.name, 'wheel', { disks })
      await page.goto(`/projects/${project.name}/instances`)
      const question = dialog(page, 'Delete instance')
      const release = isLate ? await hold(page, '**/x/v1/**/deletion') : () => {}
      await expectStill(page, 'Delete instance', async () => {
        await rowAction(page, 'wheel', 'Delete')
        if (isLate) await expect(question.getByRole('group', { name: 'Loading' })).toBeVisible()
        release()
        await expect(question.getByRole('heading', { name: 'Stays' })).toBeVisible()
        const word = question.getByRole('textbox', { name: 'Type wheel to confirm' })
        await expect(word).toBeHidden()
        await question.getByRole('checkbox').check()
        await expect(word).toBeVisible()
        await expect(
          question.getByRole('button', { name: 'Delete with 10 other things' }),
        ).toBeVisible()
      })
    },
  )
}

test('a form: its buttons do not move when an error appears @long', async ({
  page,
  project,
  seed,
  consoleErrors,
}) => {
  consoleErrors.expect(/status of 500|API error/)
  await seed.instance(project.name, 'wheel')
  await page.goto(`/projects/${project.name}/instances`)
  await rowAction(page, 'wheel', 'Resize')
  const form = dialog(page, 'Resize instance')
  const submit = form.getByRole('button', { name: 'Resize' })
  await form.getByRole('spinbutton', { name: 'vCPUs' }).fill('4')
  await expect(form).toContainText('New: 4 vCPUs / 8 GiB (+2 vCPUs)')
  const before = await submit.boundingBox()
  await fail(page, /v1\/instances\/wheel/)
  await submit.click()
  await expect(form.getByRole('alert')).toContainText('It has come loose')
  expect(await submit.boundingBox()).toEqual(before)
})

test.describe('an upload', () => {
  let release: () => void
  let file: Awaited<ReturnType<typeof imageFile>>

  /** Fills in the form and starts the upload, which is then held back. */
  const startUpload = async (page: Page) => {
    ;({ release } = await holdChunks(page, 4))
    await submitUpload(page)
    await expect(uploadStep(page, 'Upload image file')).toHaveAttribute('data-status', 'running')
  }

  test.beforeEach(async ({ page, project, consoleErrors }, info) => {
    consoleErrors.expect(/status of 40[04]|ObjectAlreadyExists/)
    file = await imageFile(info.outputPath('flour.raw'))
    await page.goto(`/projects/${project.name}/images-new`)
    await fillUpload(page, file)
  })

  test('through all steps, to completion @long', async ({ page }) => {
    await expectStill(page, 'Image upload progress', async () => {
      await startUpload(page)
      release()
      await expectUploaded(page)
      await expect(progress(page)).toContainText('The image is ready')
    })
  })

  test('until it fails @long', async ({ page, project, api, seed }) => {
    await expectStill(page, 'Image upload progress', async () => {
      await startUpload(page)
      // Another user takes the name meanwhile.
      await seedImage({ api, seed }, project.name, 'flour')
      release()
      await expect(progress(page).getByRole('alert')).toContainText('already exists')
    })
  })
})

test.describe('the login page', () => {
  test.use({ signedIn: false })

  test('messages do not move its fields and its button @long', async ({ page, consoleErrors }) => {
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

test('a deletion opened from Jobs @long', async ({ page, project, seed, api }) => {
  const { id } = await seed.disk(project.name, 'sacks')
  const job = await ok(
    api.jobCreate({
      body: {
        action: 'delete',
        kind: 'disk',
        project: project.name,
        target: { type: 'ids', ids: [id] },
      },
    }),
  )
  await ok(api.jobStart({ path: { job: job.id } }))
  await page.goto('/jobs')
  const release = await hold(page, `**/x/v1/jobs/${job.id}`)
  // Any dialog: the title is known only with the job.
  await expectStill(page, '', async () => {
    await page.getByRole('link', { name: 'Delete disk sacks' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    release()
    await expect(jobDialog(page)).toContainText('Finished')
  })
})
