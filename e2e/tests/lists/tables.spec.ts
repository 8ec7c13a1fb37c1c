import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSidewaysScroll } from '../../support/accessibility.ts'
import { count, header, search, sortBy } from '../../support/lists.ts'
import {
  databaseOf,
  floatingIpRow,
  groupRow,
  imageRow,
  snapshotRow,
  sshKeyRow,
  store,
  storeInstances,
} from '../../support/many.ts'
import { ok } from '../../support/seed.ts'
import { expect, type Scene, test, visit } from '../../support/test.ts'
import { openRowActions, row, rowAction } from '../../support/ui.ts'

/** A name of maximum length. */
const longName = (first: string) => `${first}${'-name-of-sixty-three'.repeat(4)}`.slice(0, 63)
const LONG = longName('a')
const description = 'A description of many words '.repeat(18).trim()

/** Sixty instances, and one resource of every other kind with the longest name. */
const long: Scene = {
  async fill({ host, api, seed, project }) {
    await seed.project(longName('p'), description)
    await seed.instance(project.name, LONG, { description })
    await storeInstances(host, project.id, 59, (index) => ({
      name: `web-${index + 1}`,
      description,
      run_state: index < 3 ? 'failed' : 'stopped',
    }))
    const disk = await seed.disk(project.name, longName('d'))
    const db = databaseOf(host)
    const pool = await db.selectFrom('ip_pool').selectAll().executeTakeFirstOrThrow()
    const user = await db.selectFrom('silo_user').selectAll().executeTakeFirstOrThrow()
    const values = { description }
    const instance = await ok(
      api.instanceView({ path: { instance: LONG }, query: { project: project.name } }),
    )
    await store(host, 'snapshot', [
      snapshotRow(project.id, longName('s'), { ...values, disk_id: disk.id }),
    ])
    await store(host, 'image', [
      imageRow(user.silo_id, project.id, longName('i'), values),
      imageRow(user.silo_id, null, longName('i'), { ...values, os: LONG, version: LONG }),
    ])
    await store(host, 'external_ip', [
      floatingIpRow(project.id, pool.id, 300, longName('f'), {
        ...values,
        instance_id: instance.id,
      }),
    ])
    await store(host, 'affinity_group', [
      groupRow(project.id, 'anti_affinity', longName('g'), values),
    ])
    await store(host, 'ssh_key', [sshKeyRow(user.id, longName('k'), values)])
  },
}

/** Path of a page → the long name on it. */
const pages: Record<string, string> = {
  '/projects': longName('p'),
  '/images': longName('i'),
  '/settings/ssh-keys': longName('k'),
  '/projects/mill/instances': LONG,
  '/projects/mill/disks': longName('d'),
  '/projects/mill/snapshots': longName('s'),
  '/projects/mill/images': longName('i'),
  '/projects/mill/floating-ips': longName('f'),
  '/projects/mill/affinity': longName('g'),
  [`/projects/mill/instances/${LONG}/storage`]: LONG,
  [`/projects/mill/instances/${LONG}/networking`]: longName('f'),
  [`/projects/mill/affinity/${longName('g')}`]: longName('g'),
  [`/projects/${longName('p')}/instances`]: longName('p'),
}

/** They stand for the others in `npm test`: a list, the page of a thing, and its breadcrumbs. */
const standing = [
  '/projects/mill/instances',
  `/projects/mill/instances/${LONG}/networking`,
  `/projects/${longName('p')}/instances`,
]

/** All columns of the instances, which exceed the width of a window. */
const every = 'name,state,cpu,memory,external-ips,created,description,state-changed,restarted'

/** Left edge and width of every header, and whether it is truncated. */
const headersOf = (page: Page) =>
  page.getByRole('columnheader').evaluateAll((headers) =>
    headers.map((element) => {
      const { left, width } = element.getBoundingClientRect()
      return [element.textContent, Math.round(left), Math.round(width)]
    }),
  )

const table = (page: Page) => page.getByRole('table', { name: 'Instances' })
const pagination = (page: Page) => page.getByRole('navigation', { name: 'Pagination' })
const instances = '/projects/mill/instances'

test.describe('long names', () => {
  test.use({ scene: long })
  visit.use({ scene: long })

  for (const [path, name] of Object.entries(pages)) {
    visit(
      `make no page wider than the window: ${path.replaceAll(/-name[a-z-]*/g, '…')}`,
      { tag: standing.includes(path) ? [] : ['@long'] },
      async ({ tab }) => {
        const page = await tab.show(path)
        await page.setViewportSize({ width: 1280, height: 800 })
        await expect(page.getByText(name).first()).toBeVisible()
        await expectNoSidewaysScroll(page)
        await page.setViewportSize({ width: 390, height: 844 })
        await expectNoSidewaysScroll(page)
      },
    )
  }

  test('leave the buttons of the top bar alone @long', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/projects/mill/affinity/${longName('g')}`)
    const crumb = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link').last()
    const { x, width } = (await crumb.boundingBox())!
    const button = (await page.getByRole('button', { name: 'Search', exact: true }).boundingBox())!
    expect(x + width).toBeLessThanOrEqual(button.x)
  })

  test('fit into confirmations @long', async ({ page }) => {
    await page.goto('/projects/mill/affinity')
    await page.setViewportSize({ width: 390, height: 844 })
    await rowAction(page, longName('g'), 'Delete')
    const question = page.getByRole('dialog')
    await expect(question).toContainText(longName('g'))
    expect(await question.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
    await expectNoSidewaysScroll(page)
  })
})

test.describe('a table of instances', () => {
  test.use({ scene: long })

  test('sorts names in natural order and keeps its columns in place @long', async ({ page }) => {
    await page.goto(instances)
    await expect(table(page).getByRole('link', { name: /^web-/ })).toHaveText(
      Array.from({ length: 49 }, (_, index) => `web-${index + 1}`),
    )
    await expect(pagination(page)).toContainText('1–50 of 60')
    const widths = await headersOf(page)
    await pagination(page).getByRole('button', { name: 'next' }).click()
    await expect(pagination(page)).toContainText('51–60 of 60')
    await expect(row(page, 'web-59')).toBeVisible()
    expect(await headersOf(page)).toEqual(widths)
    await search(page).fill('web-5')
    await expect(table(page).getByRole('link', { name: /^web-/ })).toHaveCount(11)
    expect(await headersOf(page)).toEqual(widths)
    await sortBy(page, 'name')
    await expect(table(page).getByRole('link', { name: /^web-/ }).first()).toHaveText('web-59')
    expect(await headersOf(page)).toEqual(widths)
  })

  test('keeps its headers and its first column visible while scrolling', async ({ page }) => {
    await page.goto(`${instances}?columns=${every}`)
    await expect(row(page, 'web-1')).toBeVisible()
    await expectNoSidewaysScroll(page)
    const top = (await header(page, 'state').boundingBox())!.y
    const left = (await header(page, 'name').boundingBox())!.x
    await row(page, 'web-49').scrollIntoViewIfNeeded()
    await header(page, 'restarted').scrollIntoViewIfNeeded()
    await expect(header(page, 'restarted')).toBeInViewport({ ratio: 1 })
    expect((await header(page, 'restarted').boundingBox())!.y).toBe(top)
    expect((await header(page, 'name').boundingBox())!.x).toBe(left)
    await expect(row(page, 'web-49').getByRole('link', { name: 'web-49' })).toBeInViewport()
    // The page itself has not scrolled.
    expect(await page.evaluate(() => [window.scrollX, window.scrollY])).toEqual([0, 0])
    await pagination(page).getByRole('button', { name: 'next' }).click()
    await expect(row(page, 'web-50')).toBeInViewport()
  })

  test('has its header in place from the first frame @long', async ({ page }) => {
    await page.addInitScript(() => {
      const places = new Set<string>()
      Object.assign(window, { places })
      const look = () => {
        const header = document.querySelector('[role=columnheader]')
        if (header)
          places.add(`${header.getBoundingClientRect().y} of ${document.body.scrollHeight}`)
        requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
    await page.goto(`${instances}?columns=${every}`)
    await expect(row(page, 'web-1')).toBeVisible()
    await expect.poll(() => page.evaluate(() => [...(window as never)['places']].length)).toBe(1)
  })

  test('draws the rows in view first, with room for the others @long', async ({ page }) => {
    await page.addInitScript(() => {
      const frames: { rows: number; height: number }[] = []
      Object.assign(window, { frames })
      new MutationObserver(() => {
        const rows = document.querySelectorAll('tbody tr:has(a)').length
        const last = frames.at(-1)
        if (rows > 0 && rows !== last?.rows)
          frames.push({ rows, height: document.body.scrollHeight })
      }).observe(document, { childList: true, subtree: true })
    })
    await page.goto(instances)
    await expect(row(page, 'web-49')).toBeAttached()
    const frames: { rows: number; height: number }[] = await page.evaluate(
      () => (window as never)['frames'],
    )
    expect(frames.map(({ rows }) => rows)).toEqual([20, 50])
    expect(frames[0]!.height).toBe(frames[1]!.height)
  })

  test('dims its rows while the next ones load @long', async ({ page }) => {
    await page.goto(instances)
    await expect(row(page, 'web-1')).toBeVisible()
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route(/instances\?.*search=web-7/, async (route) => {
      await held
      await route.continue()
    })
    await search(page).fill('web-7')
    await expect(table(page)).toHaveAttribute('aria-busy', 'true')
    const rows = table(page).getByRole('rowgroup').last()
    await expect(rows).toHaveCSS('opacity', '0.5')
    await expect(row(page, 'web-1')).toBeVisible()
    answer()
    await expect(count(page)).toHaveText('1 of 60 instances')
    await expect(rows).toHaveCSS('opacity', '1')
    await expect(table(page)).not.toHaveAttribute('aria-busy')
  })
})

test.describe('on a phone', () => {
  test.use({ scene: long, viewport: { width: 390, height: 844 } })

  test('a row has two lines, and is still a row of a table @long', async ({ page }) => {
    await page.goto(instances)
    const one = row(page, 'web-1')
    const link = one.getByRole('link', { name: 'web-1' })
    await expect(link).toBeVisible()
    const middle = async (text: string) => {
      const { y, height } = (await one.getByText(text).boundingBox())!
      return y + height / 2
    }
    const box = (await one.boundingBox())!
    expect(box.height).toBeLessThan(64)
    expect(box.width).toBe(390)
    const first = await middle('web-1')
    expect(Math.abs((await middle('failed')) - first)).toBeLessThan(6)
    // The name takes all space left by the state.
    const name = (await row(page, LONG).getByRole('link', { name: LONG }).boundingBox())!
    const state = (await row(page, LONG).getByText('stopped').boundingBox())!
    expect(state.x - name.x - name.width).toBeLessThan(48)
    expect(await middle('GiB')).toBeGreaterThan(first + 12)
    // All controls in the row can be pressed.
    const menu = await openRowActions(page, 'web-1')
    await expect(menu).toBeVisible()
    await page.keyboard.press('Escape')
    await one.getByRole('checkbox').check()
    await expect(page.getByText('1 selected')).toBeVisible()
    await one.getByRole('checkbox').uncheck()
    await expectAccessible(page)
    // Instead of column headers, one select field sorts the list.
    const sort = page.getByRole('combobox', { name: 'Sort' })
    await expect(sort).toHaveValue('name false')
    await sort.selectOption('Name, descending')
    await expect(table(page).getByRole('link', { name: /^web-/ }).first()).toHaveText('web-59')
    await expect(header(page, 'name')).toHaveAttribute('aria-sort', 'descending')
    await row(page, 'web-59').click({ position: { x: 200, y: 45 } })
    await expect(page).toHaveURL(/web-59\/storage$/)
  })

  test('a list without states shows its main columns @long', async ({ page }) => {
    await page.goto('/projects/mill/floating-ips')
    const one = row(page, longName('f'))
    await expect(one.getByText('198.51.1.44')).toBeVisible()
    await expect(one.getByRole('link', { name: LONG })).toBeVisible()
    expect((await one.boundingBox())!.height).toBeLessThan(64)
  })
})

test("a tooltip is not part of its column's name @long", async ({ page, project, seed }) => {
  await seed.group(project.name, 'apart')
  await page.goto(`/projects/${project.name}/affinity`)
  await expect(header(page, 'Policy')).toBeVisible()
})
