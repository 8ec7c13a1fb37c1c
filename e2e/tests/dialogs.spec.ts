/** Focus and Escape in all dialogs. */
import { expect, test } from '../support/test.ts'
import { closeByEscape, dialog, openRowActions, row, rowAction } from '../support/ui.ts'

test('Escape applies to a panel that is still loading @long', async ({ page, project, seed }) => {
  await seed.disk(project.name, 'sluice')
  await page.goto(`/projects/${project.name}/disks`)
  const open = page.getByRole('link', { name: 'sluice' })
  await expect(open).toBeVisible()
  const arrives = Promise.withResolvers<void>()
  await page.route(/disk/, async (request) => {
    await arrives.promise
    await request.continue()
  })
  await open.click()
  await expect(page).toHaveURL(`/projects/${project.name}/disks/sluice`)
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('Escape')
  arrives.resolve()
  await expect(page).toHaveURL(`/projects/${project.name}/disks`)
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(open).toBeFocused()

  // The next panel must open.
  await open.click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(open).toBeFocused()
})

test('Escape applies to a confirmation that is still loading @long', async ({ page, project }) => {
  await page.goto('/projects')
  const selected = page.getByRole('checkbox', { name: `Select ${project.name}` })
  await selected.check()
  const menu = await openRowActions(page, project.name)
  const question = dialog(page, 'Delete project')
  // First its code is loading, then its data.
  for (const part of [/\/assets\//, /\/deletion/]) {
    const asked = Promise.withResolvers<void>()
    const arrives = Promise.withResolvers<void>()
    await page.route(part, async (request) => {
      asked.resolve()
      await arrives.promise
      await request.continue()
    })
    await menu.getByRole('menuitem', { name: 'Delete' }).click()
    await asked.promise
    await page.keyboard.press('Escape')
    arrives.resolve()
    // A loaded dialog would be in the way.
    await openRowActions(page, project.name)
    await expect(question).toBeHidden()
    await expect(selected).toBeChecked()
  }
  // The next dialog must open.
  await menu.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(question).toBeVisible()
})

test('Escape closes a panel even after the focus was lost @long', async ({ page, project }) => {
  await page.goto(`/projects/${project.name}/disks-new`)
  await expect(dialog(page, 'Create disk').getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.evaluate(() => {
    const focused = document.activeElement as HTMLElement
    focused.replaceWith(focused.cloneNode(true))
    document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
    )
  })
  await expect(page).toHaveURL(`/projects/${project.name}/disks`)
})

test('a form focuses its first field, and keeps the focus when its scrim is pressed', async ({
  page,
  project,
}) => {
  await page.goto(`/projects/${project.name}/disks`)
  await page.getByRole('link', { name: 'New disk' }).first().click()
  const panel = dialog(page, 'Create disk')
  await expect(panel.getByRole('textbox', { name: 'Name' })).toBeFocused()
  const description = panel.getByRole('textbox', { name: 'Description' })
  await description.fill('Holds back')
  await page.mouse.click(20, 400)
  const question = dialog(page, 'Confirm navigation')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(description).toBeFocused()
  await page.keyboard.type(' water')
  await expect(description).toHaveValue('Holds back water')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Leave form' }).click()
  await expect(page.getByRole('link', { name: 'New disk' }).first()).toBeFocused()
})

test("a dialog opened from a row menu returns the focus to the menu's button @long", async ({
  page,
  project,
}) => {
  await page.goto('/projects')
  const actions = row(page, project.name).getByRole('button', { name: 'Row actions' })
  for (const [action, title] of [
    ['Edit', 'Edit project'],
    ['Delete', 'Delete project'],
  ] as const) {
    await rowAction(page, project.name, action)
    await expect(page.getByRole('dialog')).toContainText(title)
    await closeByEscape(page)
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(actions).toBeFocused()
  }
})

test('clearing a chosen file moves the focus to the file field @long', async ({
  page,
  project,
}) => {
  await page.goto(`/projects/${project.name}/images-new`)
  const panel = dialog(page, 'Upload image')
  const input = panel.getByLabel('Image file')
  await input.setInputFiles({
    name: 'wheel.raw',
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(1024),
  })
  await panel.getByRole('button', { name: 'Clear file' }).click()
  await expect(panel.getByText('wheel.raw')).toBeHidden()
  await expect(input).toBeFocused()
})
