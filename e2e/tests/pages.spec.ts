import type { Page } from '@playwright/test'
import { long } from '../../packages/control-plane/test/support/long.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { takeDocsPictures, takePictures, takesPictures } from '../support/pictures.ts'
import { walker } from '../support/tab.ts'
import { expect, test, visit } from '../support/test.ts'
import { dialog, heading } from '../support/ui.ts'
import { INSTANCE, type PageUnderTest, pages } from '../support/pages.ts'
import { pagesScene } from '../support/pages-scene.ts'

test.use({ scene: pagesScene })
visit.use({ scene: pagesScene })

/** Window sizes: a phone, and a desktop at 200 % zoom. */
const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 360, height: 740 }
const ZOOMED = { width: 640, height: 400 }

/**
 * Opened elements that `npm test` looks at, one of each kind. The others, and empty pages, are
 * variants.
 */
const standing = new Set([
  'a row menu',
  'the user menu',
  'quick actions',
  'keyboard help',
  'help on a topic',
  'a question',
  'a form with errors',
  'who can do something',
  'a new disk of a new instance',
  'attaching a disk',
  'a range of time',
  'the order of firewall rules',
  'no instances',
])

const seen = new Set<string>()
/** Whether another test looks at the page, or at one of the same kind. */
function isVariant(name: string, { path }: PageUnderTest): boolean {
  const isFirst = !seen.has(path)
  seen.add(path)
  return !standing.has(name) && (!isFirst || name.startsWith('no '))
}

/** How many pages that only have to be shown one test looks at; pictures are taken one by one. */
const TOGETHER = takesPictures ? 1 : 4

/** The names of pages by the tests that look at them. */
const looks: { names: string[]; tag: string[] }[] = []
let together: string[] = []
for (const [name, shown] of Object.entries(pages)) {
  if (isVariant(name, shown)) looks.push({ names: [name], tag: ['@long'] })
  else if (shown.open ?? shown.errors) looks.push({ names: [name], tag: [] })
  else {
    if (together.length === 0) looks.push({ names: together, tag: [] })
    together.push(name)
    if (together.length === TOGETHER) together = []
  }
}

/** Each page is checked by axe in one of the two themes. */
for (const [index, { names, tag }] of looks.entries()) {
  const does = `${names.join(', ')}: accessible, fits a phone and twice the size`
  const theme = index % 2 === 0 ? 'dark' : 'light'
  visit(does, { tag }, async ({ tab, consoleErrors }) => {
    for (const name of names) {
      const { path, title, panel, shows, open, errors } = pages[name]!
      if (errors) consoleErrors.expect(errors)
      await test.step(name, async () => {
        const page = await tab.show(path)
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
        await page.setViewportSize(DESKTOP)
        await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
        await expect(panel ? dialog(page, title) : heading(page, title)).toBeVisible()
        await shows?.(page)
        if (open) {
          tab.leaveAfterwards()
          await open(page)
        }
        await expectAccessible(page)
        await takePictures(page, name)
        await takeDocsPictures(page, name)
        // In the short run, one page of each test stands for the others at twice the size, which
        // leaves more room than a phone.
        const sizes = long || name === names[0] ? [PHONE, ZOOMED] : [PHONE]
        for (const size of sizes) {
          await page.setViewportSize(size)
          await expectNoSidewaysScroll(page)
        }
      })
    }
  })
}

/** Pages that consist of an extension; without it they are not offered, and not found. */
const extensionPages =
  /^\/(usage|projects\/mill\/(overview|alert-rules|schedules|instance-templates|service-accounts|deleted|notifications|dashboards|network-map|reachability|vpcs\/default\/topology|instances\/wheel\/(history|clone))|overview|instance-templates|service-accounts|system\/(overview|control-plane|usage|alert-rules|dashboards|issues|audit-log|silos\/main\/users)|users|groups|jobs|audit-log|settings\/sessions|settings\/notifications|settings\/sign-in-security)/

/** Operations that smaller implementations of the API may lack. */
const lacking =
  /\/(v1|experimental\/v1)\/(system\/(hardware|networking|update|timeseries|metrics|utilization|ip-pools|subnet-pools|scim|support-bundles|identity-providers)|timeseries|metrics|utilization|alert-|alerts|webhook|multicast-groups|external-subnets|subnet-pools|ip-pools|affinity-groups|anti-affinity-groups|certificates|snapshots|floating-ips|internet-gateways|vpc-routers|probes|me\/access-tokens|auth-settings)/

/** Each page once, without the variants of opened elements. */
const addresses = [
  ...new Map(Object.entries(pages).map(([name, page]) => [page.path, { name, ...page }])).values(),
]

/** How many tests walk through all pages; each through pages of all areas. */
const WALKS = 12
const walks = [...Map.groupBy(addresses.entries(), ([index]) => index % WALKS).values()].map(
  (walk) => walk.map(([, address]) => address),
)
/** The first walk stands for the others in `npm test`. */
const walkTag = (index: number) => ({ tag: index === 0 ? [] : ['@long'] })

/** Texts that no page may show, whatever the control plane lacks. */
const broken = /Something went wrong|invalid_type|Expected query|does not match the API/i

/** The page, or "Page not found" where it shows nothing but an extension. */
const shownWithoutExtensions = (page: Page, { path, title, panel }: PageUnderTest) =>
  extensionPages.test(path)
    ? heading(page, 'Page not found')
    : panel
      ? dialog(page, title)
      : heading(page, title)

test.describe('with a control plane without extensions', () => {
  test.use({ scene: { ...pagesScene, restart: { extensions: false } } })

  test('the data of its plain answers is shown', async ({ page, consoleErrors }) => {
    consoleErrors.expect(/404|API error|ApiError/)
    await page.goto(`${INSTANCE}/networking`)
    const rules = page.getByRole('region', { name: 'Firewall rules' })
    await rules.getByRole('link', { name: 'default' }).click()
    await expect(page).toHaveURL(/\/projects\/mill\/vpcs\/default\/firewall-rules/)
    await page.goto('/system/inventory/sleds')
    const serial = page.getByRole('row').nth(1).getByRole('link').first()
    const name = await serial.innerText()
    // Sums over the instances of the sled.
    const used = page.getByRole('row').filter({ hasText: name })
    await expect(used).toContainText(/\d+ of \d+/)
    await serial.click()
    await expect(page.getByRole('meter', { name: 'Memory used' })).toBeVisible()
    await page.goto('/system/inventory/disks')
    await expect(page.getByRole('cell', { name, exact: true }).first()).toBeVisible()
  })

  for (const [index, walk] of walks.entries()) {
    const name = `each page says calmly what a smaller implementation answers 501, part ${index + 1}`
    test(name, walkTag(index), async ({ page, consoleErrors }) => {
      consoleErrors.expect(/40[04]|501|API error|ApiError/)
      await page.route(lacking, (route) =>
        route.fulfill({ status: 501, json: { message: 'Not implemented', request_id: 'none' } }),
      )
      const goTo = await walker(page)
      for (const address of walk) {
        await test.step(address.name, async () => {
          await goTo(address.path)
          const shown = shownWithoutExtensions(page, address)
          await expect
            .soft(shown.or(page.getByText('Not available here')).first(), address.name)
            .toBeVisible()
          await expect.soft(page.getByText(broken), address.name).toHaveCount(0)
        })
      }
    })

    test(`each page works, part ${index + 1}`, walkTag(index), async ({ page, consoleErrors }) => {
      // Capabilities are asked for, and a chart without series is a query that names none.
      consoleErrors.expect(/40[04]|API error|ApiError/)
      const asked: string[] = []
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        // The sign-in page asks for the silo's sign-in methods, and does without them.
        if (/^\/x\/(?!v1\/(capabilities$|login\/))/.test(pathname)) asked.push(pathname)
      })
      const goTo = await walker(page)
      for (const address of walk) {
        await test.step(address.name, async () => {
          asked.length = 0
          await goTo(address.path)
          await expect.soft(shownWithoutExtensions(page, address), address.name).toBeVisible()
          await expect
            .soft(
              page.getByText(/could not be (loaded|read)/i).or(page.getByText(broken)),
              address.name,
            )
            .toHaveCount(0)
          expect.soft(asked, address.name).toEqual([])
        })
      }
    })
  }
})
