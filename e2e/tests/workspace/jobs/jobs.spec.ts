import type { Page } from '@playwright/test'
import { expectAccessible } from '../../../support/accessibility.ts'
import { addUser, clientOf } from '../../../support/host.ts'
import {
  jobsButton,
  box,
  boxOfAll,
  bulkAction,
  bulkBar,
  expectSelected,
  item,
  jobDialog,
  showItems,
} from '../../../support/jobs.ts'
import { storeInstances } from '../../../support/many.ts'
import { ok } from '../../../support/seed.ts'
import { holdStarting } from '../../../support/states.ts'
import { expect, openAs, test } from '../../../support/test.ts'
import { closeByEscape, dialog, heading, row, toasts } from '../../../support/ui.ts'

const name = (index: number) => `box-${String(index).padStart(3, '0')}`

test('a plan lists actions and refusals; then it is run', async ({ page, project, seed, api }) => {
  await seed.instance(project.name, 'axle', { start: true })
  await seed.instance(project.name, 'beam', { start: true })
  await seed.instance(project.name, 'cog')
  await seed.until(project.name, 'axle', 'running')
  await seed.until(project.name, 'beam', 'running')
  await page.goto(`/projects/${project.name}/instances`)
  await boxOfAll(page).check()
  await bulkAction(page, 'Stop').click()
  const plan = dialog(page, 'Stop 3 instances in mill')
  await expect(plan.getByText('2 will be stopped, 1 refused')).toBeVisible()
  await expect(item(page, 'cog')).toContainText('Only running instances can be stopped')
  await showItems(page, 'Refused')
  await expect(item(page, 'axle')).toBeHidden()
  await expectAccessible(page)

  // Nothing is run or stored unless it is confirmed.
  await plan.getByRole('button', { name: 'Cancel' }).click()
  await expect(plan).toBeHidden()
  await expect(page).toHaveURL(`/projects/${project.name}/instances`)
  expect((await ok(api.jobList({}))).items).toEqual([])
  await expectSelected(page, '3 selected')

  await bulkAction(page, 'Stop').click()
  await plan.getByRole('button', { name: 'Stop 2 instances' }).click()
  await expect(plan.getByText('2 stopped, 1 refused').first()).toBeVisible()
  await expect(plan.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '2 of 2')
  await expectAccessible(page)
  await plan.getByRole('button', { name: 'Close' }).first().click()
  await expect(plan).toBeHidden()
  await expect(bulkBar(page)).toBeHidden()
  await expect(row(page, 'axle').getByText('stopped')).toBeVisible()
})

test('a job continues when it is closed and when the page is reloaded, in every tab', async ({
  page,
  project,
  seed,
  host,
}) => {
  const letGo = holdStarting(host)
  await seed.instance(project.name, 'axle')
  await seed.instance(project.name, 'beam')
  await page.goto(`/projects/${project.name}/instances`)
  await boxOfAll(page).check()
  await bulkAction(page, 'Start').click()
  await page.getByRole('button', { name: 'Start 2 instances' }).click()
  await expect(jobDialog(page).getByText('0 started, 2 to go')).toBeVisible()
  await page.reload()
  await expect(jobDialog(page).getByText('0 started, 2 to go')).toBeVisible()

  const other = await page.context().newPage()
  await other.goto('/projects')
  await expect(jobsButton(other)).toHaveAccessibleName('Jobs, 1 running')
  await jobDialog(page).getByRole('button', { name: 'Close' }).first().click()
  await expect(page).toHaveURL(`/projects/${project.name}/instances`)
  await expect(toasts(page)).toContainText('Start 2 instances in mill')
  await toasts(page).getByRole('link', { name: 'View' }).click()
  await expect(jobDialog(page).getByText('0 started, 2 to go')).toBeVisible()

  letGo()
  await expect(jobDialog(page).getByText('2 started').first()).toBeVisible()
  await expect(jobsButton(other)).toHaveAccessibleName('Jobs')
  await other.close()
})

test('failed items are retried @long', async ({ page, project, seed, api }) => {
  const query = { project: project.name }
  for (const each of ['flour', 'grain', 'sacks']) await seed.disk(project.name, each)
  await seed.instance(project.name, 'wheel')
  await page.goto(`/projects/${project.name}/disks`)
  await boxOfAll(page).check()
  await bulkAction(page, 'Delete').click()
  const job = dialog(page, 'Delete 3 disks in mill')
  await expect(job.getByText('3 will be deleted')).toBeVisible()
  // The planned action is not possible any more.
  await ok(api.instanceDiskAttach({ path: { instance: 'wheel' }, query, body: { disk: 'grain' } }))
  await job.getByRole('button', { name: 'Delete 3 disks' }).click()
  await expect(job.getByText('2 deleted, 1 failed').first()).toBeVisible()
  await expect(item(page, 'grain')).toContainText(/attached/i)
  await expect(item(page, 'flour')).toBeHidden()
  await showItems(page, 'All')
  await expect(item(page, 'flour')).toContainText('Succeeded')
  await expectAccessible(page)

  await ok(api.instanceDiskDetach({ path: { instance: 'wheel' }, query, body: { disk: 'grain' } }))
  await job.getByRole('button', { name: 'Retry 1 failed' }).click()
  await expect(job.getByText('3 deleted').first()).toBeVisible()
  await job.getByRole('button', { name: 'Close' }).first().click()
  await expect(page.getByRole('heading', { name: 'No disks' })).toBeVisible()
})

test('all failed instances are started in one action @long', async ({
  page,
  project,
  host,
  api,
}) => {
  const failed = (index: number) => index % 2 === 0
  await storeInstances(host, project.id, 400, (index) => ({
    name: name(index),
    run_state: failed(index) ? 'failed' : 'stopped',
  }))
  await page.goto(`/projects/${project.name}/instances`)
  await page.getByRole('button', { name: 'State', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Failed', exact: true }).click()
  await closeByEscape(page)
  await expect(page.getByText('200 of 400 instances')).toBeVisible()
  await boxOfAll(page).check()
  await bulkAction(page, 'Select all 200 matching').click()
  await bulkAction(page, 'Start').click()
  await page.getByRole('button', { name: 'Start 200 instances' }).click()
  await expect(jobDialog(page).getByText('200 started').first()).toBeVisible()
  await jobDialog(page).getByRole('button', { name: 'Close' }).first().click()
  await expect(page.getByRole('heading', { name: 'No instances match' })).toBeVisible()
  const query = { project: project.name, limit: 1000 }
  const { items } = await ok(api.instanceList({ query }))
  expect(items.filter(({ runState }) => runState === 'running')).toHaveLength(200)
  expect(items.filter(({ runState }) => runState === 'failed')).toHaveLength(0)
})

/** Records the times of a page's requests, in its own milliseconds, from now on. */
async function watchReads(page: Page, path: string): Promise<() => Promise<number[]>> {
  const handle = await page.evaluateHandle((wanted) => {
    const times: number[] = []
    new PerformanceObserver((list) => {
      for (const { name: url, startTime } of list.getEntries()) {
        if (new URL(url).pathname === wanted) times.push(startTime)
      }
    }).observe({ type: 'resource' })
    return times
  }, path)
  return () => handle.jsonValue()
}

test('starting five hundred instances does not read the list five hundred times @long', async ({
  page,
  project,
  host,
}) => {
  test.slow()
  await storeInstances(host, project.id, 500, (index) => ({ name: name(index) }))
  await page.goto(`/projects/${project.name}/instances`)
  await boxOfAll(page).check()
  await bulkAction(page, 'Select all 500 instances').click()
  await bulkAction(page, 'Start').click()
  await expect(jobDialog(page).getByText('500 will be started')).toBeVisible()
  const reads = await watchReads(page, '/x/v1/instances')
  await page.getByRole('button', { name: 'Start 500 instances' }).click()
  await expect(jobDialog(page).getByText('500 started').first()).toBeVisible({ timeout: 300_000 })
  const times = await reads()
  expect(times.length).toBeGreaterThan(0)
  // However long it takes: some changes are shown at once, and then one read per second.
  const tooMany = times.filter((time, index) => times[index + 7]! - time < 1000)
  expect(tooMany, 'begins of seconds with more than seven reads').toEqual([])
  await expectAccessible(page)
})

test('an unknown job is reported @long', async ({ page, project, consoleErrors }) => {
  consoleErrors.expect(/404/)
  await page.goto(`/projects/${project.name}/instances?job=5f9b2a3c-0000-4000-8000-000000000000`)
  await expect(jobDialog(page)).toContainText('This job no longer exists')
  await expectAccessible(page)
  await closeByEscape(page)
  await expect(page).toHaveURL(`/projects/${project.name}/instances`)
})

test('a viewer sees in the plan which actions are not permitted @long', async ({
  page,
  host,
  project,
  api,
}) => {
  const session = await addUser(host, 'viewer')
  const viewer = await ok(clientOf(host.url, session).currentUserView())
  const { roleAssignments } = await ok(api.policyView())
  const assignment = {
    identityId: viewer.id,
    identityType: 'silo_user' as const,
    roleName: 'viewer' as const,
  }
  await ok(api.policyUpdate({ body: { roleAssignments: [...roleAssignments, assignment] } }))
  const theirs = await openAs(page, host.url, session)
  // The projects that a user may delete are not known beforehand: roles differ between them.
  await theirs.goto('/projects')
  await box(theirs, project.name).check()
  await bulkAction(theirs, 'Delete').click()
  await expect(jobDialog(theirs).getByText('0 will be deleted, 1 refused')).toBeVisible()
  await expect(item(theirs, project.name)).toContainText('Forbidden')
  const button = theirs.getByRole('button', { name: 'Delete 0 projects' })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible(theirs)
})

test('recent jobs are in the top bar, and all jobs on their own page @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  const query = { project: project.name }
  await seed.disk(project.name, 'grain')
  await seed.instance(project.name, 'wheel')
  await page.goto(`/projects/${project.name}/disks`)
  await jobsButton(page).click()
  const jobs = dialog(page, 'Jobs')
  await expect(jobs).toContainText('Actions on several resources at once show up here')
  await expectAccessible(page)
  await closeByEscape(page)
  await expect(jobs).toBeHidden()
  await expect(jobsButton(page)).toBeFocused()

  await box(page, 'grain').check()
  await bulkAction(page, 'Snapshot').click()
  await expect(item(page, 'grain')).toContainText(/Snapshot as grain-\d/)
  await page.getByRole('button', { name: 'Snapshot 1 disk' }).click()
  await expect(jobDialog(page).getByText('1 snapshotted').first()).toBeVisible()
  await jobDialog(page).getByRole('button', { name: 'Close' }).first().click()
  await box(page, 'grain').check()
  await bulkAction(page, 'Delete').click()
  await expect(jobDialog(page).getByText('1 will be deleted')).toBeVisible()
  await ok(api.instanceDiskAttach({ path: { instance: 'wheel' }, query, body: { disk: 'grain' } }))
  await page.getByRole('button', { name: 'Delete 1 disk' }).click()
  await expect(jobDialog(page).getByText('1 failed').first()).toBeVisible()
  await jobDialog(page).getByRole('button', { name: 'Close' }).first().click()

  // Until the user has looked.
  await expect(jobsButton(page)).toHaveAccessibleName('Jobs, a job has failed')
  await jobsButton(page).click()
  await expect(jobs.getByRole('listitem')).toHaveCount(2)
  await expectAccessible(page)
  await jobs.getByRole('link', { name: /Snapshot disk grain in mill/ }).click()
  await expect(dialog(page, 'Snapshot disk grain in mill')).toBeVisible()
  await closeByEscape(page)
  await expect(jobsButton(page)).toHaveAccessibleName('Jobs')

  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('option', { name: 'Jobs' }).click()
  await expect(page).toHaveURL('/jobs')
  await expect(heading(page, 'Jobs')).toBeVisible()
  await expectAccessible(page)
  const failed = row(page, 'Delete disk grain in mill')
  await expect(failed.getByText('Failed', { exact: true })).toBeVisible()
  await failed.getByRole('link').click()
  await expect(dialog(page, 'Delete disk grain in mill')).toBeVisible()
  await closeByEscape(page)
  await row(page, 'Snapshot disk grain in mill')
    .getByRole('button', { name: 'Row actions' })
    .click()
  await page.getByRole('menuitem', { name: 'Remove from the list' }).click()
  await expect(row(page, 'Snapshot disk grain in mill')).toBeHidden()
})
