import { expectAccessible, expectNoSidewaysScroll } from '../../../support/accessibility.ts'
import { boxOfAll, bulkAction, item, jobDialog } from '../../../support/jobs.ts'
import { seedImage } from '../../../support/images.ts'
import { storeInstances } from '../../../support/many.ts'
import { ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { dialog, heading, row, rowAction, toasts } from '../../../support/ui.ts'

test('of a running instance: it is stopped first, and its disk is deleted too @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  await seed.disk(project.name, 'grain')
  await seed.disk(project.name, 'sacks')
  await seed.instance(project.name, 'wheel', {
    disks: [
      { type: 'attach', name: 'grain' },
      { type: 'attach', name: 'sacks' },
    ],
    start: true,
  })
  await seed.until(project.name, 'wheel', 'running')
  await page.goto(`/projects/${project.name}/instances`)
  await rowAction(page, 'wheel', 'Delete')
  const question = dialog(page, 'Delete instance')
  await expect(question).toContainText('Are you sure you want to delete wheel?')
  await expect(question.getByRole('heading', { level: 3 })).toHaveText([
    'Blocks deletion',
    'Deleted with it',
    'Stays',
  ])
  await expect(question).toContainText('Only stopped or failed instances can be deleted')
  await expect(question).toContainText('First: stop wheel')
  await expect(question.getByRole('listitem').filter({ hasText: 'Disk grain' })).toBeVisible()
  await expectAccessible(page)
  await expect(question.getByRole('button', { name: 'Stop and delete' })).toBeVisible()
  await question.getByRole('checkbox', { name: /2 disks/ }).check()
  await question.getByRole('button', { name: 'Delete with 2 other things' }).click()

  // It is confirmed once, and the result of each step is shown.
  const result = dialog(page, 'Delete instance wheel in mill')
  await expect(result.getByText('4 steps done').first()).toBeVisible()
  await expect(item(page, 'grain')).toContainText('Delete disk')
  await result.getByRole('button', { name: 'Close' }).first().click()
  await expect(page.getByRole('heading', { name: 'No instances' })).toBeVisible()
  expect((await ok(api.diskList({ query: { project: project.name } }))).items).toEqual([])
  expect((await ok(api.jobList({}))).items).toHaveLength(1)
})

test('deleting an instance with dependents from its page leads to the list @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.instance(project.name, 'wheel', { start: true })
  await seed.until(project.name, 'wheel', 'running')
  await page.goto(`/projects/${project.name}/instances/wheel/storage`)
  await page.getByRole('button', { name: 'Instance actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Stop and delete' }).click()
  await expect(jobDialog(page).getByText('2 steps done').first()).toBeVisible()
  await jobDialog(page).getByRole('button', { name: 'Close' }).first().click()
  await expect(page).toHaveURL(`/projects/${project.name}/instances`)
  await expect(page.getByRole('heading', { name: 'No instances' })).toBeVisible()
})

test('of an attached disk: it is detached first @long', async ({ page, project, seed, api }) => {
  await seed.disk(project.name, 'grain')
  await seed.instance(project.name, 'wheel', { disks: [{ type: 'attach', name: 'grain' }] })
  await page.goto(`/projects/${project.name}/disks`)
  await rowAction(page, 'grain', 'Delete')
  const question = dialog(page, 'Delete disk')
  await expect(question).toContainText('Disk must be detached before it can be deleted')
  await expect(question).toContainText('wheel (stopped)')
  await expectAccessible(page)
  // Meanwhile another user has removed the obstacle.
  const query = { project: project.name }
  const args = { path: { instance: 'wheel' }, query, body: { disk: 'grain' } }
  await ok(api.instanceDiskDetach(args))
  await expect(question.getByRole('button', { name: 'Confirm' })).toBeVisible()
  await ok(api.instanceDiskAttach(args))
  await question.getByRole('button', { name: 'Detach and delete' }).click()
  await expect(jobDialog(page).getByText('2 steps done').first()).toBeVisible()
  await jobDialog(page).getByRole('button', { name: 'Close' }).first().click()
  await expect(page.getByRole('heading', { name: 'No disks' })).toBeVisible()
})

test('of snapshots and images: their derivatives are kept, or deleted too @long', async ({
  page,
  project,
  api,
  seed,
}) => {
  await seedImage({ api, seed }, project.name, 'flour')
  await page.goto(`/projects/${project.name}/snapshots`)
  await rowAction(page, 'snapshot-of-flour', 'Delete')
  const question = dialog(page, 'Delete snapshot')
  await expect(question).toContainText('Its data → will be kept for the images made of it')
  await expectAccessible(page)
  await question.getByRole('checkbox', { name: /1 image/ }).check()
  await expect(question.getByRole('button', { name: 'Delete with 1 other thing' })).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()

  await page.goto(`/projects/${project.name}/images`)
  await rowAction(page, 'flour', 'Delete')
  const image = dialog(page, 'Delete image')
  await expect(image).toContainText('snapshot-of-flour')
  await expectAccessible(page)
  await image.getByRole('button', { name: 'Confirm' }).click()
  await expect(toasts(page)).toContainText('Image flour deleted')
  await expect(page.getByRole('heading', { name: 'No images' })).toBeVisible()
})

test('of a project with all its contents, on a phone @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await seed.disk(project.name, 'grain')
  await seed.instance(project.name, 'wheel', {
    disks: [{ type: 'attach', name: 'grain' }],
    start: true,
  })
  await seed.floatingIp(project.name, 'door')
  await seed.group(project.name, 'apart')
  await seed.until(project.name, 'wheel', 'running')
  await page.goto('/projects')
  await rowAction(page, project.name, 'Delete')
  const question = dialog(page, 'Delete project')
  await expect(question.getByRole('heading', { level: 3 })).toHaveText(['Deleted with it'])
  await expect(question).toContainText('Instance wheel')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  const go = question.getByRole('button', { name: /^Delete with \d+ other things$/ })
  await expect(go).toHaveAttribute('aria-disabled', 'true')
  await question
    .getByRole('textbox', { name: `Type ${project.name} to confirm` })
    .fill(project.name)
  await go.click()

  const plan = dialog(page, `Delete project ${project.name}`)
  await expect(plan.getByText(/^\d+ steps done$/).first()).toBeVisible()
  await expectAccessible(page)
  await plan.getByRole('button', { name: 'Close' }).first().click()
  await expect(heading(page, 'Projects')).toBeVisible()
  await expect(row(page, project.name)).toBeHidden()
  expect((await ok(api.projectList({}))).items).toEqual([])
})

test('of a boot disk: the instance is stopped, the disk unset and detached @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  await seed.disk(project.name, 'grain')
  await seed.instance(project.name, 'wheel', {
    bootDisk: { type: 'attach', name: 'grain' },
    start: true,
  })
  await seed.until(project.name, 'wheel', 'running')
  await page.goto(`/projects/${project.name}/disks`)
  await rowAction(page, 'grain', 'Delete')
  const question = dialog(page, 'Delete disk')
  await expect(question).toContainText('Boot disk must be unset before it can be detached')
  await expect(question).toContainText('First: stop wheel, unset its boot disk, detach grain')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Delete in 4 steps' }).click()
  await expect(jobDialog(page).getByText('4 steps done').first()).toBeVisible()
  for (const step of ['Stop instance', 'Unset boot disk of instance', 'Detach', 'Delete']) {
    await expect(
      jobDialog(page).getByRole('listitem').filter({ hasText: step }).first(),
    ).toContainText('Succeeded')
  }
  await expectAccessible(page)
  const wheel = await ok(
    api.instanceView({ path: { instance: 'wheel' }, query: { project: project.name } }),
  )
  expect(wheel).toMatchObject({ runState: 'stopped', bootDiskId: null })
})

test('of sixty instances: refusals come first, and the number is typed if it is for good @long', async ({
  page,
  project,
  host,
  api,
}) => {
  await storeInstances(host, project.id, 60, (index) => ({
    name: `wheel-${index}`,
    run_state: index === 0 ? 'repairing' : 'stopped',
  }))
  const ask = async () => {
    await page.goto(`/projects/${project.name}/instances`)
    await boxOfAll(page).check()
    await page.getByRole('button', { name: 'Select all 60 instances' }).click()
    await bulkAction(page, 'Delete').click()
  }
  const plan = dialog(page, 'Delete 60 instances in mill')
  // Nothing is typed if it can be undone.
  await ask()
  await expect(plan.getByText('They can be restored for 72 hours')).toBeVisible()
  await expect(plan.getByRole('button', { name: 'Delete 59 instances' })).toBeEnabled()
  await expect(plan.getByRole('textbox')).toHaveCount(0)
  await ok(api.deletionPolicyUpdate({ body: { restorableHours: 0 } }))
  await ask()
  await expect(plan.getByText('59 will be deleted, 1 refused')).toBeVisible()
  await expect(plan.getByRole('listitem').first()).toContainText('wheel-0')
  const button = plan.getByRole('button', { name: 'Delete 59 instances' })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  const word = plan.getByRole('textbox', { name: 'Type 59 to confirm' })
  await word.fill('60')
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await word.fill('59')
  await expectAccessible(page)
  await button.click()
  await expect(plan.getByText('59 deleted, 1 refused').first()).toBeVisible()
})

test('a preview that fails to load is reported, with a retry @long', async ({
  page,
  project,
  seed,
  consoleErrors,
}) => {
  consoleErrors.expect(/500|API error/)
  await seed.disk(project.name, 'grain')
  await page.goto(`/projects/${project.name}/disks`)
  let fails = true
  await page.route('**/x/v1/disks/*/deletion', (route) =>
    fails
      ? route.fulfill({ status: 500, json: { request_id: 'r-1', message: 'internal trouble' } })
      : route.continue(),
  )
  await rowAction(page, 'grain', 'Delete')
  const question = dialog(page, 'Delete disk')
  await expect(question.getByRole('alert')).toContainText('Internal trouble')
  const button = question.getByRole('button', { name: 'Confirm' })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible(page)
  fails = false
  await question.getByRole('button', { name: 'Try again' }).click()
  await expect(button).not.toHaveAttribute('aria-disabled')
  await button.click()
  await expect(page.getByRole('heading', { name: 'No disks' })).toBeVisible()
})

test('the rest of a job is cancelled, and retried @long', async ({ page, project, seed, host }) => {
  // Running instances cannot be stopped, so dependent steps do not begin.
  for (const each of ['axle', 'beam']) {
    await seed.instance(project.name, each, { start: true })
    await seed.until(project.name, each, 'running')
  }
  const { faults } = host.server.controlPlane.engines
  faults.inject((action) => {
    if (action === 'stop') throw new Error('held back by the test')
  })
  await page.goto(`/projects/${project.name}/instances`)
  await boxOfAll(page).check()
  await bulkAction(page, 'Delete').click()
  // Running instances have to be stopped, which is preselected.
  await expect(jobDialog(page).getByText('2 will be deleted in 4 steps')).toBeVisible()
  const stops = jobDialog(page).getByRole('checkbox', { name: 'Stop running ones first' })
  await expect(stops).toBeChecked()
  // Another choice makes another plan.
  await stops.uncheck()
  await expect(jobDialog(page).getByText('0 will be deleted, 2 refused')).toBeVisible()
  await stops.check()
  await expect(jobDialog(page).getByText('2 will be deleted in 4 steps')).toBeVisible()
  await page.getByRole('button', { name: 'Delete 2 instances' }).click()
  await expect(item(page, 'axle').first()).toContainText('Stopping')
  await jobDialog(page).getByRole('button', { name: 'Cancel the rest' }).click()
  await expect(
    jobDialog(page)
      .getByText(/2 cancelled/)
      .first(),
  ).toBeVisible()
  faults.inject()
  await jobDialog(page).getByRole('button', { name: 'Retry 2 cancelled' }).click()
  await expect(jobDialog(page).getByText('4 steps done').first()).toBeVisible()
  await jobDialog(page).getByRole('button', { name: 'Close' }).first().click()
  await expect(page.getByRole('heading', { name: 'No instances' })).toBeVisible()
})
