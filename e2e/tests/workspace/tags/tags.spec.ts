/** Tags and notes: changed on the page of a resource, and found in lists and by the palette. */
import type { Page } from '@playwright/test'
import { expectAccessible } from '../../../support/accessibility.ts'
import { addViewer } from '../../../support/host.ts'
import { box, bulkAction } from '../../../support/jobs.ts'
import { ok } from '../../../support/seed.ts'
import { columnsButton, search } from '../../../support/lists.ts'
import { takePictures } from '../../../support/pictures.ts'
import { expect, openAs, test } from '../../../support/test.ts'
import { row } from '../../../support/ui.ts'

test('tags are added by the keyboard, completed, and filter the list', async ({
  page,
  project,
  seed,
  api,
}) => {
  const [web, db] = [
    await seed.instance(project.name, 'web'),
    await seed.instance(project.name, 'db'),
  ]
  const path = { kind: 'instance' as const, thing: db.id }
  await ok(api.tagsChange({ path, body: { set: ['env:prod', 'team:data'] } }))
  await page.goto(`/projects/${project.name}/instances/web`)
  const tags = page.getByRole('group', { name: 'Tags' })
  await tags.getByRole('button', { name: 'Add tag' }).press('Enter')
  const field = tags.getByRole('combobox', { name: 'New tag' })
  await field.pressSequentially('en')
  await expect(tags.getByRole('option', { name: 'env:prod' })).toBeVisible()
  await expectAccessible(page)
  await field.press('ArrowDown')
  await field.press('Enter')
  await expect(tags.getByRole('link', { name: 'env:prod' })).toBeVisible()
  await field.fill('team:')
  await field.press('Enter')
  await expect(tags.getByRole('alert')).toHaveText('Enter a value after the colon')
  await field.fill('team=web tier')
  await field.press('Enter')
  await field.press('Escape')
  await expect(tags.getByRole('button', { name: 'Add tag' })).toBeFocused()
  // Another user changes the tags at the same time.
  const other = { kind: 'instance' as const, thing: web.id }
  await ok(api.tagsChange({ path: other, body: { set: ['owner:ops'] } }))
  await expect(tags.getByRole('link', { name: 'owner:ops' })).toBeVisible()
  await takePictures(page, 'tags of an instance')
  await page.setViewportSize({ width: 1280, height: 800 })
  await tags.getByRole('button', { name: 'Remove owner:ops' }).click()
  await expect(tags.getByRole('link', { name: 'owner:ops' })).toBeHidden()

  await tags.getByRole('link', { name: 'team:web tier' }).click()
  await expect(search(page, 'instances')).toHaveValue('tag:"team=web tier"')
  await expect(row(page, 'web')).toBeVisible()
  await expect(row(page, 'db')).toBeHidden()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Tags' }).click()
  await page.keyboard.press('Escape')
  await search(page, 'instances').fill('')
  await row(page, 'db').getByRole('button', { name: 'Filter by team:data' }).waitFor()
  await expectAccessible(page)
  await takePictures(page, 'tags in a list')
  await page.setViewportSize({ width: 1280, height: 800 })
  await row(page, 'db').getByRole('button', { name: 'Filter by team:data' }).click()
  await expect(row(page, 'web')).toBeHidden()
  await expect(row(page, 'db')).toBeVisible()

  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Search' }).fill('tag:env=prod')
  await expect(page.getByRole('option', { name: /^web/ })).toBeVisible()
  await expect(page.getByRole('option', { name: /^db/ })).toBeVisible()
})

test('a list is grouped by a tag, from page to page, and a view keeps the grouping', async ({
  page,
  project,
  seed,
  api,
}) => {
  const values = ['prod', 'Prod', undefined, 'dev', 'prod']
  for (const [index, value] of values.entries()) {
    const { id } = await seed.disk(project.name, `d${index}`)
    if (!value) continue
    const path = { kind: 'disk' as const, thing: id }
    await ok(api.tagsChange({ path, body: { set: [`env:${value}`] } }))
  }
  await page.goto(`/projects/${project.name}/disks`)
  await columnsButton(page).press('Enter')
  const keys = page.getByRole('group', { name: 'Group by tag' })
  await keys.getByRole('menuitemradio', { name: 'env' }).press('Enter')
  const rows = page.getByRole('table').getByRole('rowgroup').last().getByRole('row')
  const shown = [
    /^env:Prod1 disk$/,
    /d1/,
    /^env:dev1 disk$/,
    /d3/,
    /^env:prod2 disks$/,
    /d0/,
    /d4/,
    /^Without env1 disk$/,
    /d2/,
  ]
  await expect(rows).toHaveText(shown)
  await expectAccessible(page)
  await takePictures(page, 'a grouped list')
  await page.setViewportSize({ width: 1280, height: 800 })
  const address = new URL(page.url())
  expect(address.searchParams.get('group')).toBe('env')
  // Another user changes a tag.
  const { id } = await ok(api.diskView({ path: { disk: 'd2' }, query: { project: project.name } }))
  const path = { kind: 'disk' as const, thing: id }
  await ok(api.tagsChange({ path, body: { set: ['env:dev'] } }))
  await expect(rows.filter({ hasText: 'env:dev' })).toHaveText('env:dev2 disks')

  await page.getByRole('button', { name: /^Views/ }).click()
  await page.getByRole('menuitem', { name: 'Save as new view…' }).click()
  const form = page.getByRole('dialog', { name: 'Save view' })
  await form.getByRole('textbox', { name: 'Name' }).fill('By environment')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Views: By environment' })).toBeVisible()
  const { items } = await ok(api.viewList({ query: { list: 'disk' } }))
  expect(items[0]!.query).toEqual({ groupBy: 'env' })

  await page.getByRole('button', { name: 'Filter by env:prod', exact: true }).focus()
  await page.keyboard.press('j')
  await expect(page.getByRole('link', { name: 'd0' })).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await expect(search(page, 'disks')).toHaveValue('tag:env=prod')
  await expect(rows).toHaveText([/^env:prod2 disks$/, /d0/, /d4/])
})

test('selected rows are tagged together @long', async ({ page, project, seed, api }) => {
  for (const name of ['web-1', 'web-2', 'db']) await seed.disk(project.name, name)
  const { items } = await ok(api.diskList({ query: { project: project.name } }))
  const tagsOf = async (name: string) => {
    const thing = items.find((item) => item.name === name)!.id
    return (await ok(api.tagsView({ path: { kind: 'disk', thing } }))).tags
  }
  const old = { kind: 'disk' as const, thing: items.find(({ name }) => name === 'web-1')!.id }
  await ok(api.tagsChange({ path: old, body: { set: ['env:test', 'legacy'] } }))
  await page.goto(`/projects/${project.name}/disks?columns=tags`)
  await box(page, 'web-1').check()
  await box(page, 'web-2').check()
  await bulkAction(page, 'Tag').click()
  const form = page.getByRole('dialog', { name: 'Tag 2 disks' })
  const set = form.getByRole('textbox', { name: 'Tags to set' })
  await expect(form.getByRole('button', { name: 'Tag', exact: true })).toBeDisabled()
  await set.fill('env:prod, -x')
  await form.getByRole('button', { name: 'Tag', exact: true }).click()
  await expect(set).toHaveAccessibleDescription(/key of a tag/)
  await set.fill('env=prod, team:web')
  await form
    .getByRole('group', { name: 'Tags of the selected resources' })
    .getByText('legacy')
    .click()
  await expect(form.getByRole('textbox', { name: 'Tags to remove' })).toHaveValue('legacy')
  await expectAccessible(page)
  await takePictures(page, 'tags of several disks')
  await page.setViewportSize({ width: 1280, height: 800 })
  await form.getByRole('button', { name: 'Tag', exact: true }).click()
  const job = page.getByRole('dialog', { name: `Tag 2 disks in ${project.name}` })
  await expect(job.getByText('2 tagged').first()).toBeVisible()
  await expectAccessible(page)
  await takePictures(page, 'tagging job')
  await page.setViewportSize({ width: 1280, height: 800 })
  await job.getByRole('button', { name: 'Close' }).first().click()
  await expect(row(page, 'web-1').getByRole('button', { name: 'Filter by env:prod' })).toBeVisible()
  expect(await tagsOf('web-1')).toEqual(['env:prod', 'team:web'])
  expect(await tagsOf('web-2')).toEqual(['env:prod', 'team:web'])
  expect(await tagsOf('db')).toEqual([])
})

test('a note is written, changed by two, compared and restored @long', async ({
  page,
  project,
  seed,
  api,
  consoleErrors,
}) => {
  consoleErrors.expect(/412 .*\/x\/v1\/notes\//)
  const { id } = await seed.instance(project.name, 'web')
  const path = { kind: 'instance' as const, thing: id }
  await page.goto(`/projects/${project.name}/instances/web`)
  await page.getByRole('button', { name: 'Add note' }).click()
  const editor = page.getByRole('dialog', { name: 'Add note' })
  const text = editor.getByRole('textbox', { name: 'Text' })
  await text.fill(
    '# Web server\n\nAsk **ops** first, see <https://example.com/runbook>.\n\n<b>x</b>',
  )
  await editor.getByRole('button', { name: 'Preview' }).click()
  const link = editor.getByRole('link', { name: 'https://example.com/runbook' })
  await expect(link).toHaveAttribute('rel', 'noreferrer')
  await expect(editor.getByText('<b>x</b>')).toBeVisible()
  await expectAccessible(page)
  await takePictures(page, 'preview of a note')
  await page.setViewportSize({ width: 1280, height: 800 })
  await editor.getByRole('button', { name: 'Save' }).click()

  const card = page.getByRole('button', { name: 'Note: Web server' })
  await card.click()
  const panel = page.getByRole('dialog', { name: 'Note', exact: true })
  await panel.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit note' })
  await edit.getByRole('textbox', { name: 'Text' }).fill('# Web server\n\nMine')
  await ok(api.noteReplace({ path, body: { text: '# Web server\n\nTheirs' } }))
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit.getByText('has changed the note meanwhile')).toBeVisible()
  await expect(edit.getByRole('region', { name: 'Their changes' })).toContainText('Theirs')
  await expect(edit.getByRole('textbox', { name: 'Text' })).toHaveValue('# Web server\n\nMine')
  await expectAccessible(page)
  await takePictures(page, 'conflict of a note')
  await page.setViewportSize({ width: 1280, height: 800 })
  await edit.getByRole('button', { name: 'Keep my text' }).click()
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByText('Mine')).toBeVisible()

  await panel.getByRole('button', { name: 'Versions' }).click()
  const versions = page.getByRole('dialog', { name: 'Versions of the note' })
  await versions.getByRole('button', { name: /^2/ }).click()
  await expect(versions.getByRole('region', { name: 'Changes since' })).toContainText('Theirs')
  await expectAccessible(page)
  await takePictures(page, 'versions of a note')
  await page.setViewportSize({ width: 1280, height: 800 })
  await versions.getByRole('button', { name: 'Restore' }).click()
  await expect(panel.getByText('Theirs')).toBeVisible()
})

test(
  'tags of a panel are changed in a panel of their own, and only by those who may',
  { tag: '@long' },
  async ({ page, host, project, seed, api }) => {
    const { id } = await seed.disk(project.name, 'sacks')
    await ok(api.tagsChange({ path: { kind: 'disk', thing: id }, body: { set: ['env:prod'] } }))
    const open = async (by: Page) => {
      await by.goto(`/projects/${project.name}/disks/sacks`)
      await by.getByRole('button', { name: 'Tags and note' }).click()
      return by.getByRole('dialog', { name: 'Tags and note' })
    }
    const panel = await open(page)
    await panel.getByRole('button', { name: 'Add tag' }).click()
    await panel.getByRole('combobox', { name: 'New tag' }).fill('team:data')
    await panel.getByRole('combobox', { name: 'New tag' }).press('Enter')
    await expect(panel.getByText('team:data')).toBeVisible()
    await expectAccessible(page)
    await takePictures(page, 'tags panel')
    const viewer = await openAs(page, host.url, await addViewer(host, api))
    const seen = await open(viewer)
    await expect(seen.getByText('team:data')).toBeVisible()
    await expect(seen.getByRole('button', { name: /^(Add|Remove)/ })).toHaveCount(0)
  },
)
