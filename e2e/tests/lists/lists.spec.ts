import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSidewaysScroll } from '../../support/accessibility.ts'
import { chooseItem, count, header, search, sortBy } from '../../support/lists.ts'
import { storeInstances } from '../../support/many.ts'
import { ok } from '../../support/seed.ts'
import { expect, type Scene, test } from '../../support/test.ts'
import { closeByEscape, row, rowAction } from '../../support/ui.ts'

const name = (index: number) => `box-${String(index).padStart(5, '0')}`

const rows = (page: Page) => page.getByRole('table').getByRole('link', { name: /^box-/ })

/** Every hundredth has failed, and memory increases from one to the next. */
const twentyThousand: Scene = {
  fill: ({ host, project }) =>
    storeInstances(host, project.id, 20_000, (index) => ({
      name: name(index),
      description: index === 7 ? 'The miller likes this one' : '',
      run_state: index % 100 === 0 ? 'failed' : 'stopped',
      memory: (1 + index) * 2 ** 20,
    })),
}

test.describe('twenty thousand instances', () => {
  test.use({ scene: twentyThousand })

  test('are searched, with the search in the address @long', async ({ page, project }) => {
    await page.goto(`/projects/${project.name}/instances`)
    await expect(rows(page)).toHaveCount(50)
    await expect(count(page)).toHaveText('10,000+ instances')
    await expect(header(page, 'name')).toHaveAttribute('aria-sort', 'ascending')
    await expect(header(page, 'External IPs').getByRole('button')).toHaveCount(0)

    await page.keyboard.press('/')
    await expect(search(page)).toBeFocused()
    await page.keyboard.type('MILLER')
    await expect(rows(page)).toHaveText([name(7)])
    await expect(count(page)).toHaveText('1 of 10,000+ instances')
    await expect(page).toHaveURL(/\/instances\?q=MILLER$/)
    await page.keyboard.press('Escape')
    await expect(search(page)).toHaveValue('')
    await expect(search(page)).toBeFocused()
    await expect(rows(page)).toHaveCount(50)
    await expect(page).toHaveURL(/\/instances$/)

    // The address shows the same to another user.
    await page.goto(`/projects/${project.name}/instances?q=990&state=failed&sort=name_descending`)
    await expect(search(page)).toHaveValue('990')
    await expect(rows(page).first()).toHaveText(name(19_900))
    await expect(page.getByRole('button', { name: 'State: Failed' })).toBeVisible()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await expect(search(page)).toHaveValue('')
    await expect(rows(page).first()).toHaveText(name(19_999))
    await expect(count(page)).toHaveText('10,000+ instances')
  })

  test('are filtered and sorted, page by page @long', async ({ page, project }) => {
    await page.goto(`/projects/${project.name}/instances`)
    await expect(rows(page)).toHaveCount(50)
    await chooseItem(page, page.getByRole('button', { name: 'State', exact: true }), 'Failed')
    await expect(count(page)).toHaveText('200 of 10,000+ instances')
    await sortBy(page, 'Memory')
    await expect(header(page, 'Memory')).toHaveAttribute('aria-sort', 'ascending')
    await expect(header(page, 'name')).not.toHaveAttribute('aria-sort')
    await sortBy(page, 'Memory')
    await expect(header(page, 'Memory')).toHaveAttribute('aria-sort', 'descending')
    await expect(rows(page).first()).toHaveText(name(19_900))
    await expect(page).toHaveURL(/\/instances\?state=failed&sort=memory_descending$/)

    // After paging, another sort order starts at the first page.
    await page.getByRole('button', { name: 'next', exact: true }).click()
    await expect(rows(page).first()).toHaveText(name(14_900))
    await sortBy(page, 'name')
    await expect(rows(page).first()).toHaveText(name(0))
    await expect(page.getByRole('button', { name: 'prev' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await expect(page).toHaveURL(/\/instances\?state=failed$/)
  })
})

test('a search without matches is not an empty list @long', async ({ page, project, seed }) => {
  await page.goto(`/projects/${project.name}/instances`)
  await expect(page.getByRole('heading', { name: 'No instances', exact: true })).toBeVisible()
  await expect(search(page)).toBeHidden()
  await seed.instance(project.name, 'wheel')
  await expect(row(page, 'wheel')).toBeVisible()
  await expect(count(page)).toHaveText('1 instance')

  await search(page).fill('stone')
  await expect(page.getByRole('heading', { name: 'No instances match' })).toBeVisible()
  await expect(count(page)).toHaveText('0 of 1 instance')
  await expectAccessible(page)
  // A new match is shown at once.
  await seed.instance(project.name, 'millstone')
  await expect(row(page, 'millstone')).toBeVisible()
  await expect(count(page)).toHaveText('1 of 2 instances')
  await search(page).fill('nothing')
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await expect(row(page, 'wheel')).toBeVisible()
  await expect(page).toHaveURL(`/projects/${project.name}/instances`)
})

test('previous rows stay until the next search has loaded', async ({ page, project, seed }) => {
  await seed.disk(project.name, 'sacks')
  await seed.disk(project.name, 'grain')
  await page.goto(`/projects/${project.name}/disks`)
  await expect(row(page, 'sacks')).toBeVisible()
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/search=grain/, async (route) => {
    await held
    await route.continue()
  })
  const asked = page.waitForRequest(/search=grain/)
  await search(page, 'disks').fill('grain')
  await asked
  await expect(row(page, 'sacks')).toBeVisible()
  await expect(count(page)).toHaveText('2 disks')
  answer()
  await expect(row(page, 'sacks')).toBeHidden()
  await expect(row(page, 'grain')).toBeVisible()
  await expect(count(page)).toHaveText('1 of 2 disks')

  // After closing a side modal, the list is as before.
  await page.getByRole('link', { name: 'grain' }).click()
  await expect(page).toHaveURL(`/projects/${project.name}/disks/grain?q=grain`)
  await closeByEscape(page)
  await expect(page).toHaveURL(`/projects/${project.name}/disks?q=grain`)
  await expect(row(page, 'sacks')).toBeHidden()
  await rowAction(page, 'grain', 'Delete')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('heading', { name: 'No disks match' })).toBeVisible()

  // Another list has a separate search.
  await page.getByRole('link', { name: 'Instances' }).first().click()
  await expect(page).toHaveURL(`/projects/${project.name}/instances`)
})

test('columns are chosen, remembered, and part of the address @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.instance(project.name, 'wheel', { description: 'It turns' })
  await page.goto(`/projects/${project.name}/instances`)
  const columns = page.getByRole('button', { name: 'Columns', exact: true })
  await chooseItem(page, columns, 'CPU')
  await chooseItem(page, columns, 'Description')
  await expect(header(page, 'CPU')).toBeHidden()
  await expect(row(page, 'wheel').getByRole('cell', { name: 'It turns' })).toBeVisible()
  await expectAccessible(page)
  const address = /columns=name%2Cstate%2Cmemory%2Cexternal-ips%2Ccreated%2Cdescription$/
  await expect(page).toHaveURL(address)

  await page.goto(`/projects/${project.name}/instances`)
  await expect(header(page, 'description')).toBeVisible()
  await expect(page).toHaveURL(address)
  await chooseItem(page, columns, 'CPU')
  await chooseItem(page, columns, 'Description')
  await expect(page).toHaveURL(`/projects/${project.name}/instances`)
  await expect(header(page, 'CPU')).toBeVisible()
})

test('columns are moved by their headers and by keyboard @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.instance(project.name, 'wheel')
  await page.goto(`/projects/${project.name}/instances`)
  await expect(row(page, 'wheel')).toBeVisible()
  const heads = page.getByRole('columnheader')
  const order = (...names: string[]) =>
    // A header that sorts has its name twice.
    expect(heads).toHaveText(
      ['', 'name', ...names, 'Actions'].map((each) => new RegExp(`^(${each})+$`)),
    )
  await order('state', 'CPU', 'Memory', 'External IPs', 'created')

  await header(page, 'created').dragTo(header(page, 'CPU'))
  await order('state', 'created', 'CPU', 'Memory', 'External IPs')
  // The header that was dragged sorts only when it is pressed.
  await expect(page).toHaveURL(/columns=name%2Cstate%2Ccreated%2Ccpu%2Cmemory%2Cexternal-ips$/)

  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  const memory = page.getByRole('menuitemcheckbox', { name: 'Memory' })
  await memory.focus()
  for (const _ of ['before CPU', 'before created', 'before state']) {
    await page.keyboard.press('Alt+ArrowUp')
    await expect(memory).toBeFocused()
  }
  await order('Memory', 'state', 'created', 'CPU', 'External IPs')
  await expectAccessible(page)
  await page.keyboard.press('Alt+ArrowDown')
  await order('state', 'Memory', 'created', 'CPU', 'External IPs')
  await expect(memory).toBeFocused()
  await page.getByRole('menuitemcheckbox', { name: 'Private IPs' }).click()
  await closeByEscape(page)
  await page.goto(`/projects/${project.name}/instances`)
  // A column that is added follows the one that precedes it by default.
  await order('state', 'Memory', 'created', 'private IPs', 'CPU', 'External IPs')
})

test('on a phone, the filters are behind one button @long', async ({ page, project, seed }) => {
  await seed.instance(project.name, 'wheel')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`/projects/${project.name}/instances`)
  await expect(row(page, 'wheel')).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Filters and columns' }).click()
  await expectAccessible(page)
  await page.getByRole('menuitemcheckbox', { name: 'Failed' }).click()
  await closeByEscape(page)
  await expect(page.getByRole('heading', { name: 'No instances match' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Filters and columns, 1 chosen' })).toBeVisible()
  await expectNoSidewaysScroll(page)
})

test.describe('with a control plane without these lists', () => {
  test.use({ hostConfig: { extensions: false } })

  test('unsupported controls are absent @long', async ({
    page,
    project,
    seed,
    api,
    consoleErrors,
  }) => {
    // It has no capabilities either.
    consoleErrors.expect(/404/)
    await seed.disk(project.name, 'grain')
    await seed.disk(project.name, 'sacks')
    await page.goto(`/projects/${project.name}/disks?q=grain&state=faulted&sort=size_ascending`)
    await expect(row(page, 'sacks')).toBeVisible()
    await expect(row(page, 'grain')).toBeVisible()
    await expect(page.getByRole('searchbox')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'State' })).toHaveCount(0)
    await expect(header(page, 'size').getByRole('button')).toHaveCount(0)
    await sortBy(page, 'name')
    await sortBy(page, 'name')
    await expect(header(page, 'name')).toHaveAttribute('aria-sort', 'descending')
    await expect(page.getByRole('table').getByRole('link').first()).toHaveText('sacks')
    await chooseItem(page, page.getByRole('button', { name: 'Columns' }), 'Type')
    await expect(header(page, 'Type')).toBeHidden()
    expect((await ok(api.diskList({ query: { project: project.name } }))).items).toHaveLength(2)
  })
})
