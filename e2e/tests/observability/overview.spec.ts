import { expectAccessible } from '../../support/accessibility.ts'
import { addViewer } from '../../support/host.ts'
import { ok } from '../../support/seed.ts'
import { expect, openAs, test } from '../../support/test.ts'
import { dialog, heading } from '../../support/ui.ts'

test('an overview begins with the first steps, and follows what happens', async ({
  page,
  project,
  seed,
}) => {
  await page.goto(`/projects/${project.name}/overview`)
  await expect(heading(page, project.name)).toBeVisible()
  const steps = page.getByRole('region', { name: 'What to do next' })
  await expect(steps.getByRole('link', { name: 'Create an instance' })).toBeVisible()
  await expectAccessible(page)
  await seed.instance(project.name, 'wheel')
  await seed.instance(project.name, 'stones', { start: true })
  // While the page is open.
  await expect(page.getByRole('link', { name: 'running' })).toBeVisible()
  await expect(steps.getByText('Start the first instance, done')).toBeVisible()
  await expect(page.getByText('One instance is running. Nothing needs attention.')).toBeVisible()
  const day = page.getByRole('region', { name: 'Last day' })
  await expect(day.getByText('created 2 instances')).toBeVisible()
  await page.getByRole('link', { name: 'stopped' }).click()
  await expect(heading(page, 'Instances')).toBeVisible()
  await expect(page.getByRole('link', { name: 'wheel' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'stones' })).toBeHidden()
})

test('the first pages say how things are and what to do next', async ({ page, project, seed }) => {
  await page.goto('/')
  await expect(heading(page, 'Projects')).toBeVisible()
  await expect(page.getByText('There are no instances yet.')).toBeVisible()
  // This place is new to the browser, and steps above the list would move it.
  await page.getByRole('button', { name: 'Show 1 next step' }).click()
  const steps = page.getByRole('region', { name: 'What to do next' })
  await expect(steps.getByText('Create a project, done')).toBeVisible()
  await steps.getByRole('link', { name: 'Invite a colleague' }).click()
  await expect(dialog(page, 'Invite')).toBeVisible()

  await page.goto(`/projects/${project.name}`)
  await expect(heading(page, 'Instances')).toBeVisible()
  await expect(steps.getByRole('link', { name: 'Create an instance' })).toBeVisible()
  await expectAccessible(page)
  await seed.instance(project.name, 'wheel', { start: true })
  // By events.
  const said = page.getByText('One instance is running. Nothing needs attention.')
  await expect(said).toBeVisible()
  await expect(steps.getByText('Start the first instance, done')).toBeVisible()
  await steps.getByRole('button', { name: 'Dismiss' }).click()
  await expect(steps).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(steps).toBeVisible()
  await steps.getByRole('button', { name: 'Dismiss' }).click()
  await expect(steps).toBeHidden()
  await page.goto(`/projects/${project.name}/overview`)
  await expect(said).toBeVisible()
  await expect(steps).toBeHidden()

  await page.getByRole('link', { name: 'running' }).click()
  await page.getByRole('link', { name: 'wheel' }).click()
  await expect(page.getByText(/^Running since .*\. Nothing needs attention\.$/)).toBeVisible()
})

test('the fleet shows a full pool and leads to it @long', async ({ page, api, project }) => {
  const pool = 'narrow'
  await ok(api.systemIpPoolCreate({ body: { name: pool, description: '' } }))
  const body = { first: '198.51.100.7', last: '198.51.100.7' }
  await ok(api.systemIpPoolRangeAdd({ path: { pool }, body }))
  await ok(api.systemIpPoolSiloLink({ path: { pool }, body: { silo: 'main', isDefault: false } }))
  await page.goto('/system/overview')
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await expect(page.getByText('Nothing needs attention.')).toBeVisible()
  await expect(attention).toBeHidden()
  await ok(
    api.floatingIpCreate({
      query: { project: project.name },
      body: {
        name: 'last',
        description: '',
        addressAllocator: { type: 'auto', poolSelector: { type: 'explicit', pool } },
      },
    }),
  )
  await attention.getByRole('link', { name: 'IP pool narrow is full' }).click()
  await expect(heading(page, pool)).toBeVisible()
})

test('a viewer of a silo sees what they may read @long', async ({
  page,
  api,
  host,
  project,
  seed,
}) => {
  await seed.instance(project.name, 'wheel')
  const theirs = await openAs(page, host.url, await addViewer(host, api))
  await theirs.goto('/overview')
  await expect(heading(theirs, 'main')).toBeVisible()
  await expect(theirs.getByRole('link', { name: 'Projects', exact: true }).first()).toBeVisible()
  const charts = theirs.getByRole('region', { name: 'Last hour' })
  const title = charts.getByRole('link', { name: 'vCPUs provisioned' })
  await expect(title).toHaveAttribute('href', '/utilization')
  const memory = charts.getByRole('figure', { name: 'Memory provisioned' })
  await expect(memory.getByText('now', { exact: true })).toBeVisible()
  // The crosshair of one chart is in all of them.
  await charts.getByRole('figure', { name: 'vCPUs provisioned' }).getByRole('img').hover()
  await expect(memory.getByText('now', { exact: true })).toBeHidden()
  await expect(theirs.getByRole('alert')).toHaveCount(0)
  await expectAccessible(theirs)
})

test('overviews can be the first pages @long', async ({ page, project }) => {
  await page.goto('/projects')
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'First page' }).click()
  await page.getByRole('menuitemradio', { name: 'Overviews' }).click()
  await page.goto('/')
  await expect(page).toHaveURL('/overview')
  await page.goto(`/projects/${project.name}`)
  await expect(page).toHaveURL(`/projects/${project.name}/overview`)
  await page.getByRole('link', { name: 'Silo main' }).click()
  await expect(page).toHaveURL('/overview')
})

test.describe('with a control plane without extensions', () => {
  test.use({ hostConfig: { extensions: false } })

  test('the first pages are lists, whatever the user prefers', async ({ page, consoleErrors }) => {
    consoleErrors.expect(/404|API error|ApiError/)
    await page.addInitScript(() =>
      localStorage.setItem('display-preferences', JSON.stringify({ landing: 'overview' })),
    )
    await page.goto('/')
    await expect(heading(page, 'Projects')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Silo main' })).toHaveAttribute('href', '/projects')
    await expect(page.getByRole('heading', { name: 'No projects' })).toBeVisible()
    await expect(page.getByText('There are no projects yet.')).toBeHidden()
    await expect(page.getByRole('region', { name: 'What to do next' })).toBeHidden()
  })
})
