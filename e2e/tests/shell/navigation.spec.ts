import { expectAccessible } from '../../support/accessibility.ts'
import { addViewer } from '../../support/host.ts'
import { expect, openAs, test } from '../../support/test.ts'
import { closeByEscape, heading, rowAction } from '../../support/ui.ts'
import type { Page } from '@playwright/test'

const sidebar = (page: Page, name: string) =>
  page.getByRole('navigation', { name: `Sidebar navigation: ${name}`, exact: true })

test.use({ ownContext: true })

test('groups of the sidebar are opened and closed, and stay so @long', async ({
  page,
  project,
}) => {
  await page.goto(`/projects/${project.name}/instances`)
  const nav = sidebar(page, project.name)
  const group = (name: string) => nav.getByRole('button', { name })
  await expect(nav.getByRole('link', { name: 'Disks' })).toBeVisible()
  // A new user sees few entries.
  await expect(nav.getByRole('link', { name: 'VPCs' })).toBeHidden()
  // The group of the current page cannot be closed.
  await expect(group('Compute')).toBeDisabled()
  await group('Network').click()
  await expect(group('Network')).toHaveAttribute('aria-expanded', 'true')
  await nav.getByRole('link', { name: 'VPCs' }).click()
  await expect(heading(page, 'VPCs')).toBeVisible()
  await group('Compute').click()
  await expect(nav.getByRole('link', { name: 'Disks' })).toBeHidden()
  await page.reload()
  await expect(nav.getByRole('link', { name: 'VPCs' })).toBeVisible()
  await expect(nav.getByRole('link', { name: 'Disks' })).toBeHidden()
  await expectAccessible(page)
})

test('pages open before the routes of other pages have loaded', async ({ page, project }) => {
  // The browser loads these groups when it is idle.
  await page.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: () => 0 }))
  await page.goto(`/projects/${project.name}/instances`)
  await expect(page.getByRole('heading', { name: 'No instances' })).toBeVisible()
  const nav = sidebar(page, project.name)
  await nav.getByRole('link', { name: 'Disks' }).click()
  await expect(page).toHaveURL(`/projects/${project.name}/disks`)
  await expect(page.getByRole('heading', { name: 'No disks' })).toBeVisible()
  // The panel of one group over the list of another address.
  await page.goto(`/projects/${project.name}/edit`)
  await expect(page.getByRole('dialog', { name: 'Edit project' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'No disks' })).toBeVisible()
  await page.goBack()
  await expect(heading(page, 'Instances')).toBeVisible()
  for (const path of ['/nothing', `/projects/${project.name}/nothing`, '/system/nothing']) {
    await page.goto(path)
    await expect(page.getByText('Page not found')).toBeVisible()
    await expect(page).toHaveURL(path)
  }
})

test('starred and recent resources are at the top of the sidebar @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.instance(project.name, 'wheel')
  await seed.instance(project.name, 'stones')
  await page.goto(`/projects/${project.name}/instances`)
  await rowAction(page, 'stones', 'Star')
  await page.getByRole('link', { name: 'wheel' }).click()
  await expect(heading(page, 'wheel')).toBeVisible()
  const own = sidebar(page, 'starred and recent')
  await own.getByRole('button', { name: 'Starred and recent' }).click()
  await expect(own.getByRole('link')).toHaveText(['stones', 'wheel', 'mill'])
  await own.getByRole('link', { name: 'stones' }).click()
  await expect(heading(page, 'stones')).toBeVisible()
})

test('the scope menu leads to the system, the silo and its projects', async ({
  page,
  project,
  seed,
}) => {
  await seed.project('brewery')
  await page.goto(`/projects/${project.name}/disks`)
  const scopes = page.getByRole('button', { name: 'Switch between system and silo' })
  await scopes.click()
  const menu = page.getByRole('menu', { name: 'Switch between system and silo' })
  await expect(menu.getByText('Projects, images and people of main')).toBeVisible()
  await expectAccessible(page)
  await menu.getByRole('menuitem', { name: 'brewery' }).click()
  await expect(page).toHaveURL('/projects/brewery/instances')
  await scopes.click()
  await menu.getByRole('menuitem', { name: 'Silo' }).click()
  await expect(heading(page, 'Projects')).toBeVisible()
})

test('a user of a silo switches between projects only @long', async ({
  page,
  api,
  host,
  project,
}) => {
  const theirs = await openAs(page, host.url, await addViewer(host, api))
  await theirs.goto(`/projects/${project.name}/disks`)
  await theirs.getByRole('button', { name: 'Switch project' }).click()
  const menu = theirs.getByRole('menu', { name: 'Switch project' })
  await expect(menu.getByRole('menuitem', { name: project.name })).toBeVisible()
  await expect(menu.getByRole('menuitem', { name: 'System' })).toBeHidden()
  await closeByEscape(theirs)
})
