import { expectAccessible } from '../../support/accessibility.ts'
import { addUser, clientOf } from '../../support/host.ts'
import { ok } from '../../support/seed.ts'
import { expect, openAs, test, withoutPage } from '../../support/test.ts'
import { closeByEscape, heading } from '../../support/ui.ts'

test('the skip link is the first stop and leads to the content', async ({ page }) => {
  await page.goto('/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.locator('#content')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(skip).not.toBeInViewport()
})

test('breadcrumbs, titles and the sidebar show the current page', async ({ page, project }) => {
  await page.goto('/')
  await expect(page).toHaveURL('/projects')
  await expect(page).toHaveTitle('Projects / Steading Console')
  await page.getByRole('link', { name: project.name }).click()
  await expect(page).toHaveTitle('Instances / mill / Projects / Steading Console')
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link')
  await expect(crumbs).toHaveText(['Projects', 'mill', 'Instances'])
  const sidebar = page.getByRole('navigation', { name: 'Sidebar navigation' })
  await expect(sidebar.getByRole('link', { name: 'Instances' })).toHaveAttribute(
    'aria-current',
    'page',
  )
  await sidebar.getByRole('link', { name: 'Disks' }).click()
  await expect(page).toHaveURL('/projects/mill/disks')
  await expect(crumbs).toHaveText(['Projects', 'mill', 'Disks'])
  await crumbs.nth(1).click()
  await expect(page).toHaveURL('/projects/mill/instances')
  await page.getByRole('link', { name: 'Silo main' }).click()
  await expect(page).toHaveURL('/projects')
})

test('menus, copy buttons and lists of links have distinct names @long', async ({
  page,
  project,
  seed,
}) => {
  const { id } = await seed.instance(project.name, 'wheel')
  await page.goto('/projects/mill/instances')
  const navigation = (name: string) => page.getByRole('navigation', { name, exact: true })
  await expect(navigation('Sidebar navigation')).toBeVisible()
  await expect(navigation('Sidebar navigation: mill')).toBeVisible()
  await page.getByRole('button', { name: 'Row actions of wheel', exact: true }).click()
  await expect(page.getByRole('menu', { name: 'Row actions of wheel' })).toBeVisible()
  await closeByEscape(page)
  await page.goto('/projects/mill/instances/wheel/storage')
  await expect(page.getByRole('button', { name: `Click to copy ${id}`, exact: true })).toBeVisible()
})

test('a side modal changes the title but not the breadcrumbs @long', async ({ page }) => {
  await page.goto('/projects-new')
  await expect(page.getByRole('dialog', { name: 'Create project' })).toBeVisible()
  await expect(page).toHaveTitle('New project / Projects / Steading Console')
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs', includeHidden: true })
  await expect(crumbs.getByRole('link', { includeHidden: true })).toHaveText(['Projects'])
})

test('a navigation is announced and moves the focus to the heading @long', async ({
  page,
  project,
}) => {
  await page.goto('/projects')
  await page.getByRole('link', { name: project.name }).click()
  await expect(heading(page, 'Instances')).toBeFocused()
  await expect(page.getByText('Instances, mill, Projects')).toBeAttached()
})

test('a click while the next page loads opens nothing of the previous page @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.project('other')
  await page.goto('/projects')
  const link = (name: string) => page.getByRole('table').getByRole('link', { name, exact: true })
  const other = (await link('other').boundingBox())!
  const arrives = Promise.withResolvers<void>()
  await page.route(/\/instances\?/, async (route) => {
    await arrives.promise
    await route.continue()
  })
  await link(project.name).click()
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true')
  await page.mouse.click(other.x + 4, other.y + 4)
  arrives.resolve()
  await expect(heading(page, 'Instances')).toBeVisible()
  await expect(page).toHaveURL(`/projects/${project.name}/instances`)
  await expect(page.getByRole('main')).not.toHaveAttribute('aria-busy')
})

test('going back restores the scroll position @long', async ({ page, seed }) => {
  for (let index = 10; index < 45; index++) await seed.project(`project-${index}`)
  await page.goto('/projects')
  const last = page.getByRole('link', { name: 'project-44' })
  await last.scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => window.scrollY)
  expect(before).toBeGreaterThan(300)
  await last.click()
  await expect(heading(page, 'Instances')).toBeVisible()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  await page.goBack()
  await expect(heading(page, 'Projects')).toBeVisible()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before)
})

test('opening a side modal leaves the scroll position alone @long', async ({ page, seed }) => {
  for (let index = 10; index < 45; index++) await seed.project(`project-${index}`)
  await page.goto('/projects')
  const last = page.getByRole('link', { name: 'project-44' })
  await last.scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => window.scrollY)
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'New project' }).click()
  const form = page.getByRole('dialog', { name: 'Create project' })
  await expect(form).toBeVisible()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(form).toBeHidden()
  expect(await page.evaluate(() => window.scrollY)).toBe(before)
})

test('an unknown address is "Page not found" @long', async ({ page, consoleErrors }) => {
  for (const path of ['/no/such/page', '/projects/nobody/instances', '/system/nothing']) {
    await page.goto(path)
    await expect(heading(page, 'Page not found')).toBeVisible()
    await expect(
      page.getByText(
        "The page you are looking for doesn't exist or you may not have access to it.",
      ),
    ).toBeVisible()
  }
  consoleErrors.expect(/404|API error|ApiError: Not found/)
  await page.getByRole('link', { name: 'Back to console' }).click()
  await expect(page).toHaveURL('/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
})

test('a user without any role learns whom to ask, and the page updates with a role', async ({
  page,
  host,
  api,
  consoleErrors,
}) => {
  consoleErrors.expect(/status of 40[34]|API error|ApiError/)
  const session = await addUser(host, 'stranger')
  const stranger = await openAs(page, host.url, session)
  await stranger.goto('/projects')
  await expect(stranger.getByRole('heading', { name: 'No access yet' })).toBeVisible()
  await expect(
    stranger.getByText('You are not in any groups and have no role on the silo.'),
  ).toBeVisible()
  await expect(
    stranger.getByText('administrators of the silo can give you one: admin'),
  ).toBeVisible()
  await expect(stranger.getByText('Request ID')).toBeHidden()
  await expectAccessible(stranger)
  // Pages that were refused as a whole update like the lists.
  await stranger.goto('/projects/mill/instances')
  await expect(heading(stranger, 'Page not found')).toBeVisible()
  await stranger.goto('/projects')
  await expect(stranger.getByRole('heading', { name: 'No access yet' })).toBeVisible()
  const { id: identityId } = await ok(clientOf(host.url, session).currentUserView())
  const { roleAssignments } = await ok(api.policyView())
  await ok(
    api.policyUpdate({
      body: {
        roleAssignments: [
          ...roleAssignments,
          { identityId, identityType: 'silo_user', roleName: 'viewer' },
        ],
      },
    }),
  )
  await expect(stranger.getByRole('heading', { name: 'No projects' })).toBeVisible()
  await stranger.getByRole('button', { name: 'User menu' }).click()
  await stranger.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(stranger).toHaveURL('/login/main/local')
})

withoutPage('every answer has the security headers', async ({ host }) => {
  const page = await fetch(`${host.url}/projects`)
  const asset = /\/assets\/[^"]+\.js/.exec(await page.text())![0]
  for (const path of [
    '/projects',
    '/login/main/local',
    asset,
    '/v1/me',
    '/no-such-page',
    '/assets/no',
  ]) {
    const headers = Object.fromEntries((await fetch(host.url + path)).headers)
    expect(headers, path).toMatchObject({
      'content-security-policy':
        "default-src 'self'; style-src 'unsafe-inline' 'self'; frame-src 'none'; object-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
  }
})

test('a script injected into the page does not run', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/Content Security Policy/)
  await page.goto('/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  const violation = page.waitForEvent('console', (message) => /script-src/.test(message.text()))
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.title = "smuggled"'
    document.head.append(script)
  })
  expect((await violation).type()).toBe('error')
  await expect(page).toHaveTitle('Projects / Steading Console')
})
