import { lostNotice, missing, sidebarLink } from '../../support/faults.ts'
import { expect, test } from '../../support/test.ts'
import { dialog, expectDisabled, heading, row } from '../../support/ui.ts'

// Code that is in the cache would be there without the network.
test.use({ ownContext: true })

test('a cut network does not affect input, and recovers automatically', async ({
  page,
  context,
  project,
  seed,
  consoleErrors,
}) => {
  consoleErrors.expect(/ERR_INTERNET_DISCONNECTED|ApiError: The server cannot be reached/)
  await seed.disk(project.name, 'sacks')
  await page.goto('/projects/mill/disks')
  await page.getByRole('link', { name: 'New Disk' }).click()
  const form = dialog(page, 'Create disk')
  await form.getByRole('textbox', { name: 'Name' }).fill('flour')
  await context.setOffline(true)
  const create = form.getByRole('button', { name: 'Create disk' })
  await expectDisabled(create, 'There is no connection to the server')
  await form.getByRole('textbox', { name: 'Name' }).press('Enter')
  await expect(form.getByText('cannot be reached')).toBeHidden()

  await context.setOffline(false)
  await expect(create).not.toHaveAttribute('aria-disabled')
  await create.click()
  await expect(row(page, 'flour')).toBeVisible()
})

test('an interrupted early read is sent again @long', async ({
  page,
  project,
  seed,
  consoleErrors,
}) => {
  consoleErrors.expect(/ERR_CONNECTION_RESET|ApiError: The server cannot be reached/)
  await seed.disk(project.name, 'sacks')
  // The first visit detects the extensions of the control plane.
  await page.goto('/projects/mill/disks')
  await expect(row(page, 'sacks')).toBeVisible()
  let cut = 0
  await page.route('**/x/v1/disks?*', async (route) => {
    if (cut++ === 0) await route.abort('connectionreset')
    else await route.continue()
  })
  await page.reload()
  await expect(row(page, 'sacks')).toBeVisible()
  expect(cut).toBeGreaterThan(1)
})

test('a page whose code failed to load appears when the network is back', async ({
  page,
  context,
  project,
  consoleErrors,
}) => {
  consoleErrors.expect(/ERR_INTERNET_DISCONNECTED|ApiError: The server cannot be reached/)
  await page.goto(`/projects/${project.name}/disks`)
  await expect(page.getByRole('heading', { name: 'No disks' })).toBeVisible()
  await context.setOffline(true)
  await expect(lostNotice(page)).toBeVisible()
  await sidebarLink(page, 'Affinity Groups').click()
  await expect(page).toHaveURL('/projects/mill/affinity')
  await expect(missing(page)).toContainText('No connection')
  await expect(heading(page, 'Affinity Groups')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: 'No affinity groups' })).toBeVisible()
  await expect(lostNotice(page)).toBeHidden()
})

test('a panel that fails to load leaves its list alone @long', async ({
  page,
  project,
  seed,
  consoleErrors,
}) => {
  consoleErrors.expect(/503|API error|ApiError/)
  await seed.disk(project.name, 'sacks')
  let failing = true
  await page.route(/\/v1\/disks\/sacks/, (route) =>
    failing ? route.fulfill({ status: 503, json: { message: 'Too busy' } }) : route.continue(),
  )
  await page.goto('/projects/mill/disks/sacks')
  const panel = dialog(page, 'Disk')
  await expect(panel.getByRole('alert')).toContainText('Too busy')
  await expect(page.getByRole('cell', { name: 'sacks', exact: true })).toBeAttached()
  failing = false
  await panel.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog(page, 'Disk details')).toBeVisible()
})

test('the notice about the network disappears once it is back @long', async ({
  page,
  context,
  project,
  seed,
  consoleErrors,
}) => {
  consoleErrors.expect(
    /ERR_INTERNET_DISCONNECTED|ERR_FAILED|The server cannot be reached|API error/,
  )
  await seed.disk(project.name, 'sacks')
  await page.goto('/projects/mill/disks')
  await expect(row(page, 'sacks')).toBeVisible()
  // Further reads fail, and then hang until the end of the test.
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  let isCut = true
  await page.route('**/x/v1/disks?**', async (route) => {
    if (isCut) return route.abort()
    await held
    await route.continue()
  })
  await page.getByRole('button', { name: 'Refresh data' }).click()
  await expect(page.getByText('Could not refresh')).toBeVisible()
  await context.setOffline(true)
  await expect(lostNotice(page)).toBeVisible()
  await expect(page.getByText('Could not refresh')).toBeHidden()
  isCut = false
  await context.setOffline(false)
  await expect(lostNotice(page)).toBeHidden()
  await expect(page.getByText('Could not refresh')).toBeHidden()
  answer()
  await seed.disk(project.name, 'flour')
  await expect(row(page, 'flour')).toBeVisible()
})

test('a list that could not be read has no time of its last read @long', async ({
  page,
  project,
  consoleErrors,
}) => {
  consoleErrors.expect(/500|ApiError/)
  await page.route(/\/v1\/instances\?/, (route) =>
    route.fulfill({ status: 500, json: { message: 'It has come loose', request_id: 'a' } }),
  )
  await page.goto(`/projects/${project.name}/instances`)
  await expect(missing(page)).toBeVisible()
  await expect(page.getByText('Updated', { exact: false })).toBeHidden()
})
