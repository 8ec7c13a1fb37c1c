import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { intercept } from '../support/faults.ts'
import { boxOfAll, bulkAction, jobDialog } from '../support/jobs.ts'
import type { Page } from '@playwright/test'
import { expect, test as base } from '../support/test.ts'
import { watchStates } from '../support/states.ts'
import { navigate } from '../support/tab.ts'
import { connected, line, screen } from '../support/terminal.ts'
import { daysFromNow } from '../support/times.ts'
import { confirm, dialog, heading, row, rowAction, toasts } from '../support/ui.ts'

const test = base.extend({
  baseURL: async ({ demo }, use) => use(demo),
  // The demo needs no session at the host. These visitors have left its tour.
  storageState: async ({ demo }, use) => {
    const localStorage = [{ name: 'demo-tour', value: 'left' }]
    await use({ cookies: [], origins: [{ origin: demo, localStorage }] })
  },
})

test('a cloud in use is used until the page is reloaded', async ({ page }) => {
  await test.step('the page identifies itself as a preview', async () => {
    await page.goto('/')
    await expect(page).toHaveURL('/projects')
    await expect(page.getByText('This is a technical preview.')).toBeVisible()
    await expect(row(page, 'storefront')).toBeVisible()
    await expect(page.getByRole('button', { name: 'User menu' })).toHaveText('Marta Lindqvist')
    await page.getByRole('button', { name: 'Learn more' }).click()
    const modal = dialog(page, 'Console Technical Preview')
    await expect(modal).toContainText('are gone when you reload the page')
    const components = modal.getByRole('link', { name: 'Components of the console' })
    await expect(components).toHaveAttribute('href', '/gallery/')
    await modal.getByRole('button', { name: 'Close' }).first().click()
    await page.getByRole('link', { name: 'storefront', exact: true }).click()
    await expect(row(page, 'staging-web').getByText('stopped')).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScroll(page)
  })
  await test.step('an instance is started, and runs', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    const states = await watchStates(page, 'staging-web')
    await rowAction(page, 'staging-web', 'Start')
    await confirm(page, 'Start instance')
    await expect(toasts(page)).toContainText('Starting instance staging-web')
    await expect.poll(states).toEqual(['stopped', 'starting', 'running'])
  })
  await test.step('a serial console echoes', async () => {
    await navigate(page, '/projects/storefront/instances/api-1/serial-console')
    await expect(page.getByText('connected', { exact: true })).toBeVisible()
    const screen = page.getByRole('application', { name: 'Serial console' })
    await expect(screen.getByRole('textbox')).toBeFocused()
    await page.keyboard.type('hello there')
    await expect(screen.getByRole('listitem').filter({ hasText: 'hello there' })).toBeVisible()
  })
  await test.step('images are uploaded, but not downloaded', async () => {
    await navigate(page, '/projects/storefront/images-new')
    const form = dialog(page, 'Upload image')
    await expect(form.getByRole('radio', { name: 'URL' })).toBeDisabled()
    await expect(form.getByText('This server cannot download images')).toHaveCount(2)
  })
  await test.step('created resources last during navigation, and are gone after a reload', async () => {
    await navigate(page, '/projects-new')
    const form = dialog(page, 'Create project')
    await form.getByRole('textbox', { name: 'Name' }).fill('short-lived')
    await form.getByRole('button', { name: 'Create project' }).click()
    await expect(heading(page, 'Instances')).toBeVisible()
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
    await crumbs.getByRole('link', { name: 'Projects' }).click()
    await expect(row(page, 'short-lived')).toBeVisible()
    await page.reload()
    await expect(row(page, 'storefront')).toBeVisible()
    await expect(row(page, 'short-lived')).toBeHidden()
  })
})

test('visitors switch between users who keep their sessions, and choose one at the sign-in page @long', async ({
  page,
}) => {
  await test.step('visitors switch between users', async () => {
    await page.goto('/projects/storefront/instances')
    const menu = page.getByRole('button', { name: 'User menu' })
    const become = async (name: string) => {
      await menu.click()
      await page.getByRole('menuitemradio', { name }).click()
      await expect(menu).toHaveText(name)
    }
    await rowAction(page, 'staging-web', 'Start')
    await confirm(page, 'Start instance')
    await become('Aisha Rahman')
    // The same page as she sees it, still with the created resource.
    await expect(row(page, 'staging-web').getByText('running')).toBeVisible()
    await page.getByRole('link', { name: 'Projects' }).first().click()
    await expect(row(page, 'storefront')).toBeVisible()
    const auditLog = page.getByRole('link', { name: 'Audit Log' })
    await page.getByRole('button', { name: 'Access', exact: true }).click()
    await expect(page.getByRole('link', { name: 'Silo Access' })).toBeVisible()
    await expect(auditLog).toBeHidden()
    await become('Priya Raman')
    await expect(auditLog).toBeVisible()
    // She still has the same session.
    await become('Marta Lindqvist')
    await menu.click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Sessions' }).click()
    await expect(heading(page, 'Sessions')).toBeVisible()
    await expect(page.getByRole('table').getByRole('row')).toHaveCount(2)
  })
  await test.step('the sign-in page offers the users', async () => {
    await navigate(page, '/login/main/local')
    const people = page.getByRole('list', { name: 'People of the demo' })
    await expect(people.getByRole('listitem')).toHaveCount(4)
    await expectAccessible(page)
    await people.getByRole('button', { name: 'Marta Lindqvist' }).click()
    await expect(page).toHaveURL('/projects')
    await expect(page.getByRole('button', { name: 'User menu' })).toHaveText('Marta Lindqvist')
  })
})

/** The projects in a tab, with their ages in days. */
const projectsIn = (page: Page) =>
  page.evaluate(async () => {
    const response = await fetch('/v1/projects')
    const { items } = (await response.json()) as { items: { id: string; time_created: string }[] }
    return {
      ids: items.map(({ id }) => id),
      ages: items.map(({ time_created }) => (Date.now() - Date.parse(time_created)) / 86_400_000),
    }
  })

test('the cloud is the one of the build, in every tab and at any time @long', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  const open = async (tab: Page) => {
    await tab.goto('/projects')
    await expect(row(tab, 'storefront')).toBeVisible()
    return projectsIn(tab)
  }
  const built = await open(page)
  await test.step('a change is seen in its own tab only', async () => {
    const other = await context.newPage()
    expect(await open(other)).toMatchObject({ ids: built.ids })
    await navigate(page, '/projects-new')
    const form = dialog(page, 'Create project')
    await form.getByRole('textbox', { name: 'Name' }).fill('of-one-tab')
    await form.getByRole('button', { name: 'Create project' }).click()
    await expect(heading(page, 'Instances')).toBeVisible()
    expect((await projectsIn(page)).ids).toHaveLength(built.ids.length + 1)
    expect(await projectsIn(other)).toMatchObject({ ids: built.ids })
  })
  await test.step('a month later it has the same age', async () => {
    const later = await browser.newContext({ baseURL })
    await later.clock.install({ time: daysFromNow(31) })
    const { ids, ages } = await open(await later.newPage())
    expect(ids).toEqual(built.ids)
    for (const [index, age] of ages.entries()) expect(age).toBeCloseTo(built.ages[index]!, 1)
    await later.close()
  })
})

test('a demo without its cloud says so, and starts once the file is there @long', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.expect(/the file .* is (missing|damaged)|404/)
  const file = /\/cloud-[0-9a-f]+\.sqlite3$/
  const progress = page.getByRole('progressbar', { name: 'Loading the demo' })
  const failure = page.getByRole('main').filter({ hasText: 'The demo cannot start' })
  const again = failure.getByRole('button', { name: 'Try again' })
  const gate = Promise.withResolvers<void>()
  const isBack = await intercept(page, file, async (route) => {
    await gate.promise
    await route.fulfill({ status: 404 })
  })
  await page.goto('/projects')
  await expect(progress).toBeVisible()
  gate.resolve()
  await expect(failure).toContainText('One of its files is missing')
  await expect(progress).toBeHidden()
  await expect(again).toBeFocused()
  await expectAccessible(page)
  isBack()
  const isWhole = await intercept(page, file, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.body()).subarray(0, -100) })
  })
  await page.keyboard.press('Enter')
  await expect(failure).toContainText('One of its files is damaged')
  isWhole()
  await again.click()
  await expect(row(page, 'storefront')).toBeVisible()
  await expect(failure).toBeHidden()
})

const tour = (page: Page) => page.getByRole('region').filter({ hasText: /Tour, step \d of 8/ })
const inTour = (page: Page, name: string) => tour(page).getByRole('button', { name })

test('the tour is offered to new visitors, goes by keyboard, and stays away once left @long', async ({
  page,
}) => {
  await page.addInitScript(() => sessionStorage.getItem('seen') ?? localStorage.clear())
  await page.goto('/projects')
  await expect(tour(page)).toContainText('step 1 of 8')
  // It does not take the focus by itself.
  await expect(page.locator('body')).toBeFocused()
  await expectAccessible(page)
  await test.step('it leads to a page, and outlines an element there', async () => {
    await page.getByRole('button', { name: 'Take the tour' }).press('Enter')
    await expect(tour(page).getByRole('heading')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(tour(page).getByRole('link')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(heading(page, 'storefront')).toBeVisible()
    const day = page.getByRole('region', { name: 'Last day' })
    await expect(day).toHaveCSS('outline-style', 'solid')
    await inTour(page, 'Next').press('Enter')
    await expect(day).not.toHaveCSS('outline-style', 'solid')
    await tour(page).getByRole('link', { name: 'New instance' }).press('Enter')
    await expect(heading(page, 'Create instance')).toBeVisible()
    await expect(page.locator('[data-tour]')).toBeVisible()
    await expectAccessible(page)
  })
  await test.step('it continues after a reload', async () => {
    await page.evaluate(() => sessionStorage.setItem('seen', ''))
    await page.reload()
    await expect(tour(page)).toContainText('step 2 of 8')
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScroll(page)
    await page.setViewportSize({ width: 1280, height: 800 })
  })
  await test.step('it is left by Escape, and begins again from the banner', async () => {
    await inTour(page, 'Next').press('Escape')
    await expect(tour(page)).toBeHidden()
    const banner = page.getByRole('button', { name: 'Take the tour' })
    await banner.press('Enter')
    await expect(tour(page)).toContainText('step 1 of 8')
    await page.keyboard.press('Escape')
    await expect(banner).toBeFocused()
    await page.reload()
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    await expect(tour(page)).toBeHidden()
  })
})

test('each step of the tour leads to its page @long', async ({ page }) => {
  await page.goto('/projects')
  await page.getByRole('button', { name: 'Take the tour' }).press('Enter')
  for (let step = 1; step <= 8; step++) {
    await expect(tour(page)).toContainText(`step ${step} of 8`)
    await tour(page).getByRole('link').press('Enter')
    await expect(page.locator('[data-tour]')).toBeVisible()
    await expectAccessible(page)
    await inTour(page, step < 8 ? 'Next' : 'Finish').press('Enter')
  }
  await expect(tour(page)).toBeHidden()
})

test('all that run are stopped in one action, and the plan is shown as code @long', async ({
  page,
}) => {
  await page.goto('/projects/storefront/instances?state=running')
  await boxOfAll(page).check()
  await bulkAction(page, 'Stop').click()
  const job = jobDialog(page)
  await expect(job.getByText(/^\d+ will be stopped$/)).toBeVisible()
  await job.getByRole('button', { name: 'Show as code' }).click()
  await expect(job.getByRole('region', { name: 'As code' })).toContainText('/x/v1/jobs')
  await job.getByRole('button', { name: /^Stop \d+ instances$/ }).click()
  await expect(job.getByText(/^\d+ stopped$/).first()).toBeVisible()
  await job.getByRole('button', { name: 'Close' }).first().click()
  await expect(page.getByRole('heading', { name: 'No instances match' })).toBeVisible()
})

test('a guest finds what the rules of its network say @long', async ({ page }) => {
  await page.goto('/projects/storefront/instances/bastion/serial-console')
  await expect(connected(page)).toBeVisible()
  await expect(line(page, /^bastion:~#/).last()).toBeVisible()
  await expect(screen(page).getByRole('textbox')).toBeFocused()
  await page.keyboard.type('nc -zv -w 1 orders-db 5432\n')
  await expect(line(page, /5432 port .*succeeded/)).toBeVisible()
  await page.keyboard.type('nc -zv -w 1 search-1 9200\n')
  await expect(line(page, /9200 .*timed out/)).toBeVisible()
})

test('a user who signs out can sign in again @long', async ({ page }) => {
  await page.goto('/projects')
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login\/[a-z-]+\/local$/)
  // Visitors need not know the names of the demo.
  await expect(page.getByText('Sign in as admin with the password steading.')).toBeVisible()
  await page.getByRole('button', { name: 'Fill in' }).click()
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue('admin')
  await expectAccessible(page)
  const signIn = async (username: string) => {
    await page.getByRole('textbox', { name: 'Username' }).fill(username)
    await page.getByRole('textbox', { name: 'Password' }).fill('steading')
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await signIn('sofia-marchetti')
  await expect(page.getByRole('heading', { name: 'Second step for sofia-marchetti' })).toBeVisible()
  await page.getByRole('button', { name: 'Back to the password' }).click()
  await signIn('jonas-weber')
  await expect(page.getByRole('button', { name: 'User menu' })).toHaveText('Jonas Weber')
})

test('users of a silo sign in through an identity provider @long', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.expect(/API error|40[13]/)
  await page.goto('/login/main/local')
  await page.getByRole('link', { name: 'Try an identity provider' }).click()
  await expect(heading(page, 'city-archive')).toBeVisible()
  const provider = page.getByRole('button', { name: 'Sign in with town-hall' })
  await provider.click()
  await expect(page.getByText('A real provider is a site of its own')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Mallory' }).click()
  await expect(page.getByRole('alert')).toContainText('the signature does not match')
  await provider.click()
  await page.getByRole('button', { name: 'Greta Holm' }).click()
  await expect(page.getByRole('button', { name: 'User menu' })).toHaveText('Greta Holm')
})

test('however many calls fail, there is a way on @long', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/API error|ApiError|Error: /)
  await page.goto('/projects?chaos=40')
  const shell = page.getByRole('button', { name: 'User menu' })
  const list = row(page, 'storefront')
  const again = page.getByRole('button', { name: 'Try again' })
  const close = page.getByRole('dialog').getByRole('button', { name: 'Close' })
  const login = page.getByRole('button', { name: 'Fill in' })
  const home = page.getByRole('link', { name: 'Back to console' })
  // The user cannot be loaded, or the list, or a call ends the session: each says so, and none is
  // the end.
  await expect(async () => {
    if (await list.isVisible()) return
    if (await login.isVisible()) {
      await login.click()
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    } else if (await close.first().isVisible()) await close.first().click({ timeout: 1000 })
    else if (await again.first().isVisible()) await again.first().click({ timeout: 1000 })
    else if (await home.isVisible()) await home.click({ timeout: 1000 })
    await expect(list).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(shell).toBeVisible()
})
