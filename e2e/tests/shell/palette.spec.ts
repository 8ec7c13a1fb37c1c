import { expectAccessible } from '../../support/accessibility.ts'
import { signIn } from '../../support/host.ts'
import { ok } from '../../support/seed.ts'
import { expect, openAs, test } from '../../support/test.ts'
import { closeByEscape, dialog, heading, rowAction, toasts } from '../../support/ui.ts'
import type { Page } from '@playwright/test'

const palette = (page: Page) => dialog(page, 'Quick actions')
const selected = (page: Page) => palette(page).getByRole('option', { selected: true })

const optionsOf = (page: Page, group: string) =>
  palette(page).getByRole('group', { name: group, exact: true }).getByRole('option')

test('opens and closes by the keyboard, from anywhere', async ({ page, project }) => {
  await page.goto(`/projects/${project.name}/disks`)
  await expect(heading(page, 'Disks')).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(palette(page).getByRole('combobox', { name: 'Search' })).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(palette(page)).toBeHidden()
  await page.getByRole('button', { name: 'Jump to' }).click()
  await closeByEscape(page)
  await expect(palette(page)).toBeHidden()
  // Also inside an input.
  await page.goto('/projects-new')
  await page.getByRole('textbox', { name: 'Name' }).press('Control+k')
  await expect(palette(page)).toBeVisible()
})

test('groups the actions of this page, of its parents and elsewhere @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.project('other')
  await page.goto('/projects')
  await page.getByRole('button', { name: 'Jump to' }).click()
  const group = (name: string) =>
    palette(page).getByRole('group', { name, exact: true }).getByRole('option')
  await expect(palette(page).getByRole('group').first()).toHaveAccessibleName('Actions')
  await expect(group('Actions')).toHaveText(['New project'])
  await expect(group('Go to project')).toHaveText([project.name, 'other'])
  await expect(group('User')).toHaveText(['Jobs', 'Settings'])
  await closeByEscape(page)
  await page.getByRole('link', { name: project.name }).click()
  await expect(heading(page, 'Instances')).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(group('Go up')).toHaveText(['Projects'])
  // The current page is not offered.
  await expect(group("Project 'mill'").filter({ hasText: 'Disks' })).toBeVisible()
  await expect(group("Project 'mill'").filter({ hasText: 'Instances' })).toHaveCount(0)
})

test('is filtered by typing and navigated by arrow keys, which wrap around', async ({
  page,
  seed,
}) => {
  for (const name of ['alder', 'beech', 'birch']) await seed.project(name)
  await page.goto('/projects')
  await page.getByRole('button', { name: 'Jump to' }).click()
  await expect(selected(page)).toHaveText('New project')
  await expect(palette(page).getByRole('option', { name: 'birch' })).toBeVisible()
  await page.keyboard.press('ArrowUp')
  // Resources come after actions and pages.
  await expect(selected(page)).toHaveText('birch')
  // The choice stays while a new project comes in above it.
  await seed.project('aspen')
  await expect(palette(page).getByRole('option', { name: 'aspen' })).toBeVisible()
  await expect(selected(page)).toHaveText('birch')
  await page.keyboard.press('ArrowDown')
  await expect(selected(page)).toHaveText('New project')
  await page.keyboard.type('bch')
  await expect(palette(page).getByRole('option')).toHaveText(['beech', 'birch'])
  await expect(selected(page)).toHaveText('beech')
  await page.keyboard.press('ArrowDown')
  await expect(selected(page)).toHaveText('birch')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/projects/birch/instances')
  await expect(heading(page, 'Instances')).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(selected(page)).toBeVisible()
  await page.keyboard.type('no such thing')
  await expect(palette(page).getByRole('status')).toHaveText('Nothing found for “no such thing”')
  // Actions of the page are offered, and a mere Enter triggers none of them.
  await expect(palette(page).getByRole('option')).toHaveText(['New instance'])
  await expect(selected(page)).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/projects/birch/instances')
  await page.keyboard.press('ArrowDown')
  await expect(selected(page)).toHaveText('New instance')
  const search = palette(page).getByRole('combobox', { name: 'Search' })
  // Forms are found from every page of their project, also by words of other products.
  await search.fill('launch')
  await expect(selected(page)).toHaveText('New instance')
  await search.fill('create volume')
  await expect(selected(page)).toHaveText('New disk')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/projects/birch/disks-new')
})

test('input before its code is loaded is not lost @long', async ({ page, project }) => {
  await page.goto('/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  const opener = page.getByRole('link', { name: project.name })
  await opener.focus()
  const arrives = Promise.withResolvers<void>()
  await page.route(/\/assets\//, async (route) => {
    await arrives.promise
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  // None of these creates a project, or navigates to a page.
  await page.keyboard.type('gcsettings')
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('settings')
  arrives.resolve()
  await expect(palette(page).getByRole('combobox', { name: 'Search' })).toHaveValue('settings')
  await expect(selected(page)).toHaveText('Settings')
  await closeByEscape(page)
  await expect(opener).toBeFocused()
})

test('Enter opens a form without submitting it @long', async ({ page }) => {
  await page.goto('/projects')
  await page.getByRole('button', { name: 'Jump to' }).click()
  await expect(selected(page)).toHaveText('New project')
  await page.keyboard.type('new pro')
  await page.keyboard.press('Enter')
  const form = dialog(page, 'Create project')
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeVisible()
  await expect(palette(page)).toBeHidden()
  // A submitted form would show errors now.
  await form.getByRole('textbox', { name: 'Description' }).fill('x')
  await expect(form.getByText('Name is required')).toHaveCount(0)
  await form.getByRole('button', { name: 'Create project' }).click()
  await expect(form.getByText('Name is required')).toBeVisible()
  await expect(toasts(page)).toBeEmpty()
})

test('on an instance, knows its actions with their reasons, and its tabs @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.instance(project.name, 'wheel')
  await page.goto(`/projects/${project.name}/instances/wheel/storage`)
  await expect(heading(page, 'wheel')).toBeVisible()
  await page.keyboard.press('Control+k')
  const option = (name: string) => palette(page).getByRole('option', { name, exact: true })
  for (const name of ['Start', 'Reboot', 'Resize', 'View serial console', 'Networking', 'Delete']) {
    await expect(option(name)).toBeVisible()
  }
  await expect(option('Stop')).toHaveAttribute('aria-disabled', 'true')
  await expect(option('Stop')).toHaveAccessibleDescription('Only running instances can be stopped')
  await expectAccessible(page)
  await page.keyboard.type('start')
  await expect(selected(page)).toHaveText('Start')
  await page.keyboard.press('Enter')
  await expect(dialog(page, 'Start instance')).toBeVisible()
})

test('knows the focused row, and the selection @long', async ({ page, project, seed }) => {
  await seed.instance(project.name, 'wheel')
  await seed.instance(project.name, 'stone')
  await page.goto(`/projects/${project.name}/instances`)
  const link = page.getByRole('link', { name: 'wheel', exact: true })
  await link.focus()
  await page.keyboard.press('Control+k')
  const ofRow = optionsOf(page, 'wheel')
  await expect(ofRow.filter({ hasText: /^Start$/ })).toBeVisible()
  await expect(palette(page).getByRole('group').first()).toHaveAccessibleName('wheel')
  await expect(ofRow.filter({ hasText: /^Stop/ })).toHaveAccessibleDescription(
    'Only running instances can be stopped',
  )
  await expectAccessible(page)
  await page.keyboard.type('wheel start')
  await expect(selected(page)).toHaveText('Start')
  await page.keyboard.press('Enter')
  await expect(dialog(page, 'Start instance')).toContainText('wheel')
  await closeByEscape(page)
  await expect(link).toBeFocused()

  await page.keyboard.press('x')
  await expect(page.getByRole('toolbar', { name: 'Bulk actions' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(optionsOf(page, '1 selected').filter({ hasText: /^Start$/ })).toBeVisible()
  await closeByEscape(page)
  // Without a focused row there is none.
  await page.getByRole('button', { name: 'Jump to' }).press('Enter')
  await expect(optionsOf(page, '1 selected').first()).toBeVisible()
  await expect(ofRow).toHaveCount(0)
})

test('knows the buttons of the current tab @long', async ({ page, project, seed }) => {
  await seed.instance(project.name, 'wheel')
  await page.goto(`/projects/${project.name}/instances/wheel/storage`)
  await expect(page.getByRole('button', { name: 'Attach existing disk' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const option = (name: string) => optionsOf(page, 'Actions').filter({ hasText: name })
  await expect(option('Attach existing disk')).toBeVisible()
  await closeByEscape(page)
  await page.getByRole('tab', { name: 'Networking' }).click()
  await expect(page.getByRole('button', { name: 'Add network interface' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(option('Add network interface')).toBeVisible()
  await expect(option('Attach existing disk')).toHaveCount(0)
  // The reason is that of the button.
  await expect(option('Attach floating IP')).toHaveAccessibleDescription(/./)
  await page.keyboard.type('add netw')
  await page.keyboard.press('Enter')
  await expect(dialog(page, 'Add network interface')).toBeVisible()
})

test('finds resources of the whole silo by name and id', async ({ page, project, seed }) => {
  const { id } = await seed.disk(project.name, 'sacks')
  await page.goto('/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(palette(page).getByRole('combobox', { name: 'Search' })).toBeFocused()
  await page.keyboard.type(id.slice(0, 8))
  const found = palette(page).getByRole('option', { name: 'sacks' })
  await expect(found).toHaveAccessibleDescription('disk in mill')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('sack')
  await expect(found).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/projects/mill/disks/sacks')
})

test('acts on a resource that is named, after saying what that does', async ({
  page,
  project,
  seed,
}) => {
  await seed.instance(project.name, 'wheel', { start: true })
  await seed.until(project.name, 'wheel', 'running')
  await seed.instance(project.name, 'stone')
  await seed.disk(project.name, 'sacks')
  await page.goto('/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  await page.keyboard.press('Control+k')
  const search = palette(page).getByRole('combobox', { name: 'Search' })
  await search.fill('stop whe')
  await expect(optionsOf(page, 'wheel, instance in mill')).toHaveText([/^Stop/])
  await expect(selected(page)).toHaveAccessibleDescription(/Its CPU and memory are released/)
  // Either order finds an action, and so do other words for it.
  await search.fill('wheel open cons')
  await expect(selected(page)).toContainText('View serial console')
  await search.fill('start wheel')
  await expect(selected(page)).toHaveAccessibleDescription(/can be started/)
  await expect(selected(page)).toHaveAttribute('aria-disabled', 'true')
  await search.fill('delete sacks')
  await expect(selected(page)).toHaveAccessibleDescription(/deleted for good|can be restored/)
  await expectAccessible(page)
  await search.fill('resize stone')
  await expect(selected(page)).toContainText('Resize')
  await page.keyboard.press('Enter')
  await expect(dialog(page, 'Resize instance')).toBeVisible()
  await closeByEscape(page)
  await page.keyboard.press('Control+k')
  await search.fill('snapshot sacks')
  await expect(selected(page)).toContainText('Snapshot')
  await page.keyboard.press('Enter')
  await expect(toasts(page)).toContainText('created')
})

test('shows starred resources, also in another browser @long', async ({
  page,
  host,
  project,
  seed,
}) => {
  await seed.disk(project.name, 'sacks')
  await page.goto(`/projects/${project.name}/disks`)
  await rowAction(page, 'sacks', 'Star')
  await expect(toasts(page)).toContainText('Starred sacks')
  const theirs = await openAs(page, host.url, await signIn(host.url))
  await theirs.goto('/settings/profile')
  await expect(heading(theirs, 'Profile')).toBeVisible()
  await theirs.keyboard.press('Control+k')
  const starred = optionsOf(theirs, 'Starred')
  await expect(starred).toHaveText([/^sacks/])
  await expect(starred).toHaveAccessibleDescription('disk in mill')
  await expectAccessible(theirs)
  // An open palette is live.
  await rowAction(page, 'sacks', 'Unstar')
  await expect(starred).toHaveCount(0)
  await theirs.context().close()
})

test('shows stars in the panel and on the page of a resource @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.disk(project.name, 'sacks')
  await seed.group(project.name, 'apart')
  await page.goto(`/projects/${project.name}/disks/sacks`)
  const panel = dialog(page, 'Disk details')
  await panel.getByRole('button', { name: 'Star', exact: true }).click()
  await expect(panel.getByRole('button', { name: 'Unstar' })).toBeFocused()
  await expectAccessible(page)
  await closeByEscape(page)
  await page.getByRole('link', { name: 'Affinity Groups' }).click()
  await page.getByRole('link', { name: 'apart' }).click()
  await page.getByRole('button', { name: 'Star', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Unstar' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(optionsOf(page, 'Starred')).toHaveText([/^sacks/])
})

test('shows recently opened resources of this browser, by their current names @long', async ({
  page,
  api,
  project,
  seed,
}) => {
  const disk = await seed.disk(project.name, 'sacks')
  await seed.group(project.name, 'apart')
  await page.goto(`/projects/${project.name}/disks/sacks`)
  await expect(dialog(page, 'Disk details')).toBeVisible()
  await closeByEscape(page)
  await page.getByRole('link', { name: 'Affinity Groups' }).click()
  await page.getByRole('link', { name: 'apart' }).click()
  await expect(heading(page, 'apart')).toBeVisible()
  const path = { antiAffinityGroup: 'apart' }
  const query = { project: project.name }
  const body = { name: 'asunder' }
  await ok(api.antiAffinityGroupUpdate({ path, query, body }))
  await page.getByRole('link', { name: 'Disks' }).click()
  await expect(heading(page, 'Disks')).toBeVisible()
  await page.keyboard.press('Control+k')
  const recent = optionsOf(page, 'Recent')
  // The project comes first: its list of disks is the last page.
  await expect(recent).toHaveText([/^mill/, /^asunder/, /^sacks/])
  await expectAccessible(page)
  await page.keyboard.type('sack')
  await expect(recent).toHaveText([/^sacks/])
  await expect(palette(page).getByRole('option', { name: 'sacks' })).toHaveCount(1)
  await closeByEscape(page)
  // Deleted resources disappear.
  await ok(api.diskDelete({ path: { disk: disk.id } }))
  await page.keyboard.press('Control+k')
  // It may be restored.
  await expect(recent).toHaveText([/^mill/, /^asunder/, /^sacks ?deleted resource/])
})

test('Enter that ends the composition of an input method opens no page @long', async ({
  page,
  seed,
}) => {
  await seed.project('mill-one')
  await page.goto('/projects')
  await page.getByRole('button', { name: 'Jump to' }).click()
  const search = palette(page).getByRole('combobox', { name: 'Search' })
  await expect(search).toBeFocused()
  const browser = await page.context().newCDPSession(page)
  await browser.send('Input.imeSetComposition', {
    text: 'mill',
    selectionStart: 4,
    selectionEnd: 4,
  })
  await expect(selected(page)).toContainText('mill-one')
  const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 }
  await browser.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...enter })
  await browser.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter })
  await browser.send('Input.insertText', { text: 'mill' })
  await expect(palette(page)).toBeVisible()
  await expect(search).toHaveValue('mill')
  await page.keyboard.press('Enter')
  await expect(palette(page)).toBeHidden()
  await expect(page).toHaveURL(/projects\/mill-one/)
})
