import type { Page, WebSocketRoute } from '@playwright/test'
import { ok } from '../../../support/seed.ts'
import {
  connected,
  find,
  line,
  openConsole,
  runningInstance,
  screen,
  searchBar,
} from '../../../support/terminal.ts'
import { expect, openAs, test } from '../../../support/test.ts'

const wheel = { path: { instance: 'wheel' }, query: { project: 'mill' } }

// Trace snapshots would be most of the work of such a busy page.
test.use({ trace: 'off' })
test.beforeEach(async ({ project, seed }) => runningInstance(project.name, seed))

/** Records the longest task of the page from now on, in milliseconds. */
async function watchBusy(page: Page): Promise<() => Promise<number>> {
  const handle = await page.evaluateHandle(() => {
    const longest = { ms: 0 }
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest.ms = Math.max(longest.ms, duration)
    }).observe({ type: 'longtask' })
    return longest
  })
  return async () => Math.round((await handle.jsonValue()).ms)
}

/** The numbers up to `count` are at least so many bytes. */
const amounts = {
  'two megabytes': { count: 300_000, bytes: 2_000_000, tag: [] },
  'ten megabytes': { count: 1_500_000, bytes: 10_000_000, tag: ['@long'] },
}

for (const [amount, { count, bytes, tag }] of Object.entries(amounts)) {
  const name = `the page stays responsive while ${amount} arrive`
  test(name, { tag }, async ({ page, api }) => {
    test.slow()
    await openConsole(page)
    const busy = await watchBusy(page)
    const last = line(page, new RegExp(`^${count}`))
    await page.keyboard.type(`seq ${count}\n`)
    await expect(line(page, /^\d{5,}/).first()).toBeVisible()

    // While it pours.
    await page.getByRole('button', { name: 'Find in scrollback' }).click()
    await expect(searchBar(page).getByRole('textbox')).toBeFocused()
    await page.keyboard.type(`${count - 2}`)
    await expect(searchBar(page).getByRole('textbox')).toHaveValue(`${count - 2}`)

    await expect(searchBar(page).getByRole('status')).toHaveText('1 of 1', { timeout: 600_000 })
    await page.getByRole('button', { name: 'Scroll to bottom' }).click()
    await expect(last).toBeVisible()
    // The guest goes at the pace of the page: nothing had to be left out.
    await searchBar(page).getByRole('textbox').fill('bytes of output are not shown')
    await expect(searchBar(page).getByRole('status')).toHaveText('No matches')
    const length = await ok(
      api.instanceSerialConsole({ ...wheel, query: { ...wheel.query, mostRecent: 0 } }),
    )
    expect(length.lastByteOffset).toBeGreaterThan(bytes)
    console.log(`longest task while ${amount} came: ${await busy()} ms`)
  })
}

test('Ctrl+C stops endless output @long', async ({ page }) => {
  await openConsole(page)
  await page.keyboard.type('yes sheep\n')
  await expect(line(page, /^sheep/).first()).toBeVisible()
  await page.keyboard.press('Control+c')
  await expect(line(page, '^C')).toBeVisible()
  await page.keyboard.type('printf asleep\n')
  await expect(line(page, /^asleep/)).toBeVisible()
})

test('two users see the same output, and both can type @long', async ({ page, host, session }) => {
  await openConsole(page)
  const other = await openAs(page, host.url, session)
  await openConsole(other)
  await page.keyboard.type('printf from the first')
  await expect(line(other, 'printf from the first')).toBeVisible()
  // The other user completes the line.
  await other.keyboard.press('Enter')
  for (const each of [page, other]) await expect(line(each, /^from the first/)).toBeVisible()
  await other.keyboard.type('printf from the second\n')
  for (const each of [page, other]) await expect(line(each, /^from the second/)).toBeVisible()
  await other.context().close()
  await page.keyboard.type('printf alone\n')
  await expect(line(page, /^alone/)).toBeVisible()
})

/** Connections that can be cut, and prevented from reconnecting. */
async function cuttable(page: Page) {
  const open = new Set<WebSocketRoute>()
  let held = false
  await page.routeWebSocket(/serial-console\/stream/, (socket) => {
    if (held) return void socket.close({ code: 1001 })
    const server = socket.connectToServer()
    open.add(socket)
    server.onClose((code, reason) => void socket.close({ code, reason }))
  })
  return {
    cut() {
      held = true
      for (const socket of open) void socket.close({ code: 1001, reason: 'a wire was cut' })
      open.clear()
    },
    mend: () => void (held = false),
  }
}

async function reconnect(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Reconnect now' })
  // An attempt started before the repair fails, and the button reappears.
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 1_000 })
    await expect(connected(page)).toBeVisible({ timeout: 2_000 })
  }).toPass()
}

test('output during a lost connection is shown completely and once @long', async ({
  page,
  host,
  session,
}) => {
  const wire = await cuttable(page)
  await openConsole(page)
  const other = await openAs(page, host.url, session)
  await openConsole(other)
  await page.keyboard.type('printf before\n')
  await expect(line(page, /^before/)).toBeVisible()
  wire.cut()
  await expect(page.getByText(/^Connection lost: a wire was cut/)).toBeVisible()
  await other.keyboard.type('seq 4500\n')
  await expect(line(other, /^4500/)).toBeVisible()
  expect(await line(page, /^4500/).count()).toBe(0)
  wire.mend()
  await reconnect(page)
  await expect(line(page, /^4500/)).toBeVisible()
  for (const text of ['7', 'before', 'Welcome', 'seq']) {
    const expected = await find(other, text)
    await expect(expected).toHaveText(/^(\d+) of \1$/)
    await expect(await find(page, text)).toHaveText((await expected.textContent())!)
  }
  await other.context().close()
})

test.describe('a control plane without output positions', () => {
  test.use({ hostConfig: { extensions: false } })

  test('shows the latest output again, once @long', async ({ page, consoleErrors }) => {
    consoleErrors.expect(/404/)
    const wire = await cuttable(page)
    await openConsole(page)
    await page.keyboard.type('seq 300\n')
    await expect(line(page, /^300/)).toBeVisible()
    wire.cut()
    await expect(page.getByText(/^Connection lost/)).toBeVisible()
    wire.mend()
    await reconnect(page)
    await expect(line(page, /^300/)).toBeVisible()
    await expect(await find(page, 'Welcome')).toHaveText('1 of 1')
    await screen(page).getByRole('textbox').focus()
    await page.keyboard.type('seq 200000\n')
    await expect(line(page, /^200000/)).toBeVisible()
  })
})

test('an emoji is as wide as two letters, as guests assume @long', async ({ page }) => {
  await openConsole(page)
  const cursor = screen(page).locator('.xterm-cursor')
  const right = async (typed: string) => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), typed)
    await page.keyboard.press('Control+Shift+V')
    await expect(line(page, typed)).toBeVisible()
    const { x } = (await cursor.boundingBox())!
    await page.keyboard.press('Control+c')
    return x
  }
  expect(await right('ab🦊cd')).toBe(await right('abxxcd'))
})
