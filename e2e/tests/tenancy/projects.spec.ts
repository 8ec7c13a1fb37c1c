import type { Page } from '@playwright/test'
import { expect, test } from '../../support/test.ts'
import {
  closeByEscape,
  confirm,
  dialog,
  expectFieldError,
  heading,
  openRowActions,
  row,
  rowAction,
  toasts,
} from '../../support/ui.ts'
import { ok } from '../../support/seed.ts'

test('the first project is created from the empty list', async ({ page, api }) => {
  await page.goto('/projects')
  await expect(page.getByRole('heading', { name: 'No projects' })).toBeVisible()
  await expect(
    page.getByText('Create a project to start working with instances, disks, and more'),
  ).toBeVisible()
  await page.getByRole('link', { name: 'New project' }).last().click()
  const form = dialog(page, 'Create project')
  await form.getByRole('textbox', { name: 'Name' }).fill('Corn_Mill')
  await form.getByRole('textbox', { name: 'Description' }).fill('Grinds corn')
  await form.getByRole('button', { name: 'Create project' }).click()
  await expect(page).toHaveURL('/projects/corn-mill/instances')
  await expect(heading(page, 'Instances')).toBeVisible()
  await expect(toasts(page)).toContainText('Project corn-mill created')
  const project = await ok(api.projectView({ path: { project: 'corn-mill' } }))
  expect(project.description).toBe('Grinds corn')
})

test('the list shows name, description and time of creation @long', async ({ page, project }) => {
  await page.goto('/projects')
  const headers = page.getByRole('table', { name: 'Projects' }).getByRole('columnheader')
  await expect(headers).toHaveText(['', 'name', 'description', 'created', 'Actions'], {
    useInnerText: true,
    ignoreCase: true,
  })
  const cells = row(page, project.name).getByRole('cell')
  await expect(cells.nth(2)).toHaveText('Grinds')
  const time = cells.nth(3).getByRole('time')
  await expect(time).toHaveAttribute('datetime', project.timeCreated.toISOString())
  await expect(time).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d\d\s[AP]M$/)
})

test('a name is checked before it is sent @long', async ({ page }) => {
  await page.goto('/projects-new')
  const form = dialog(page, 'Create project')
  const name = form.getByRole('textbox', { name: 'Name' })
  const submit = form.getByRole('button', { name: 'Create project' })
  await submit.click()
  await expectFieldError(name, 'Name is required')
  await expect(name).toBeFocused()
  const problems: [text: string, message: string][] = [
    ['x'.repeat(64), 'Must be 63 characters or fewer'],
    ['a.b', 'Can only contain lower-case letters, numbers, and dashes'],
    ['1st', 'Must start with a lower-case letter'],
    ['last-', 'Must end with a letter or number'],
  ]
  for (const [text, message] of problems) {
    await name.fill(text)
    await expectFieldError(name, message)
  }
  const description = form.getByRole('textbox', { name: 'Description' })
  await description.fill('x'.repeat(513))
  await expectFieldError(description, 'A description must be no longer than 512 characters')
})

test('a taken name is reported at the field @long', async ({ page, project, consoleErrors }) => {
  consoleErrors.expect(/400|409|API error/)
  await page.goto('/projects-new')
  const form = dialog(page, 'Create project')
  const name = form.getByRole('textbox', { name: 'Name' })
  await name.fill(project.name)
  await form.getByRole('button', { name: 'Create project' }).click()
  await expect(form.getByText('Project name already exists')).toBeVisible()
  await expectFieldError(name, 'Name already exists')
  await expect(name).toBeFocused()
  await name.fill('another')
  await form.getByRole('button', { name: 'Create project' }).click()
  await expect(page).toHaveURL('/projects/another/instances')
})

test('a project is edited over the list @long', async ({ page, project, consoleErrors }) => {
  // The user's permissions may still be read by its old name.
  consoleErrors.expect(/404.*\/access\/users\//)
  await page.goto('/projects')
  await rowAction(page, project.name, 'Edit')
  await expect(page).toHaveURL('/projects/mill/edit')
  await expect(page).toHaveTitle('Edit project / Projects / Steading Console')
  const form = dialog(page, 'Edit project')
  await expect(form.getByText(project.id)).toBeAttached()
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('mill')
  await form.getByRole('textbox', { name: 'Name' }).fill('forge')
  await form.getByRole('textbox', { name: 'Description' }).fill('')
  await form.getByRole('button', { name: 'Update project' }).click()
  await expect(page).toHaveURL('/projects')
  await expect(toasts(page)).toContainText('Project forge updated')
  await expect(row(page, 'forge').getByRole('cell').nth(2)).toHaveText('—')
  await expect(row(page, 'mill')).toBeHidden()
})

test('an empty project is deleted after confirmation @long', async ({ page, project, host }) => {
  // Its network would have to be deleted first.
  const { db } = host.server.controlPlane.database
  await db.updateTable('vpc').set({ time_deleted: new Date().toISOString() }).execute()
  await page.goto('/projects')
  await rowAction(page, project.name, 'Delete')
  const question = dialog(page, 'Delete project')
  await expect(question).toContainText('Are you sure you want to delete mill?')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await expect(row(page, 'mill')).toBeVisible()
  await rowAction(page, project.name, 'Delete')
  await confirm(page, 'Delete project')
  await expect(page.getByRole('heading', { name: 'No projects' })).toBeVisible()
})

test('deleting a project shows the resources that are deleted with it @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.disk(project.name, 'sacks')
  await page.goto('/projects')
  await rowAction(page, project.name, 'Delete')
  const question = dialog(page, 'Delete project')
  await expect(question.getByRole('heading', { name: 'Deleted with it' })).toBeVisible()
  await expect(question).toContainText('sacks')
  await expect(
    question.getByRole('button', { name: /^Delete with \d+ other things$/ }),
  ).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(row(page, 'mill')).toBeVisible()
})

test('the first menu item of a row copies its ID @long', async ({ page, project }) => {
  await page.goto('/projects')
  const menu = await openRowActions(page, project.name)
  await expect(menu.getByRole('menuitem')).toHaveText([
    'Copy ID',
    'Star',
    'History',
    'Who can…',
    'Edit',
    'Export as Terraform',
    'Delete',
  ])
  await menu.getByRole('menuitem', { name: 'Copy ID' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(project.id)
})

test.describe('a half-filled form', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/projects')
    await page.getByRole('link', { name: 'New project' }).first().click()
    await dialog(page, 'Create project').getByRole('textbox', { name: 'Name' }).fill('half')
  })

  const ways = {
    Escape: (page) => closeByEscape(page),
    'the scrim': (page) => page.mouse.click(200, 400),
    'the close button': (page) =>
      dialog(page, 'Create project').getByRole('button', { name: 'Close' }).click(),
  } satisfies Record<string, (page: Page) => Promise<void>>

  for (const [way, leave] of Object.entries(ways)) {
    const tag = way === 'Escape' ? [] : ['@long']
    test(`is not lost by ${way}`, { tag }, async ({ page }) => {
      await leave(page)
      const question = dialog(page, 'Confirm navigation')
      await expect(question).toContainText('Are you sure you want to leave this form?')
      await expect(question).toContainText('All progress will be lost.')
      await question.getByRole('button', { name: 'Keep editing' }).click()
      await expect(question).toBeHidden()
      await expect(
        dialog(page, 'Create project').getByRole('textbox', { name: 'Name' }),
      ).toHaveValue('half')
      await leave(page)
      await question.getByRole('button', { name: 'Leave form' }).click()
      await expect(dialog(page, 'Create project')).toBeHidden()
      await expect(page).toHaveURL('/projects')
    })
  }

  test('is left by Cancel without confirmation @long', async ({ page }) => {
    await dialog(page, 'Create project').getByRole('button', { name: 'Cancel' }).click()
    await expect(page).toHaveURL('/projects')
    await expect(dialog(page, 'Confirm navigation')).toBeHidden()
    await expect(dialog(page, 'Create project')).toBeHidden()
  })
})

test.describe('with a control plane without previews of deletions', () => {
  test.use({ hostConfig: { extensions: false } })

  test('a project with contents is not deleted, with the reason @long', async ({
    page,
    project,
    seed,
    consoleErrors,
  }) => {
    consoleErrors.expect(/400|404|API error/)
    await seed.disk(project.name, 'sacks')
    await page.goto('/projects')
    await rowAction(page, project.name, 'Delete')
    await confirm(page, 'Delete project')
    await expect(toasts(page)).toContainText('Could not delete project')
    await expect(toasts(page)).toContainText('Project to be deleted contains a disk: sacks')
    await expect(row(page, 'mill')).toBeVisible()
    await toasts(page).getByRole('button', { name: 'Dismiss notification' }).click()
    await expect(toasts(page)).toBeEmpty()
  })
})
