/** The screen of an instance: noVNC against a server of RFB, through the whole product. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { Duplex } from 'node:stream'
import type { Page } from '@playwright/test'
import { DisplayUnavailable, type DisplayStream } from '@steading/control-plane/ports'
import { simulatedEngine } from '@steading/simulator'
import { memoryBlockStore } from '../../../../packages/control-plane/src/engines/volumes/memory.ts'
import {
  FIRST_COLOUR,
  type RfbServer,
  startRfbServer,
} from '../../../../packages/control-plane/test/support/rfb.ts'
import { writePng } from '../../../../packages/libvirt/src/png.ts'
import { expectAccessible } from '../../../support/accessibility.ts'
import { startHost } from '../../../support/host.ts'
import { expect, test as base } from '../../../support/test.ts'

const size = { width: 640, height: 400 }
const INSTANCE = '/projects/mill/instances/wheel'
const CTRL_ALT_DEL = [0xff_e3, 0xff_e9, 0xff_ff]

interface Screen extends RfbServer {
  /** Why there is no screen. */
  problem: string | undefined
}

const test = base.extend<{ machine: Screen }>({
  // eslint-disable-next-line no-empty-pattern -- how a fixture without needs is written
  machine: async ({}, use) => {
    const machine = Object.assign(await startRfbServer(size), { problem: undefined })
    await use(machine)
    await machine.close()
  },
  host: async ({ machine }, use) => {
    const simulated = simulatedEngine(memoryBlockStore(), { bootMs: 0, stopMs: 0, rebootMs: 0 })
    const requireScreen = () => {
      if (machine.problem !== undefined) throw new DisplayUnavailable(machine.problem)
    }
    const host = await startHost({}, async () => ({
      ...simulated,
      open: (parts) => ({
        ...simulated.open(parts),
        displays: {
          async open() {
            requireScreen()
            const socket = connect(machine.port, '127.0.0.1')
            await once(socket, 'connect')
            return Duplex.toWeb(socket) as DisplayStream
          },
          async screenshot() {
            requireScreen()
            const pixels = new Uint8Array(size.width * size.height * 3).fill(150)
            return writePng({ ...size, pixels })
          },
        },
      }),
    }))
    await use(host)
    await host.close()
  },
})

test.beforeEach(async ({ project, seed }) => {
  await seed.instance(project.name, 'wheel', { start: true })
  await seed.until('mill', 'wheel', 'running')
})

const tool = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Screen' }).getByRole('button', { name })
/** The colour in the middle of a canvas. */
const colourOf = (page: Page, canvas: string) =>
  page.locator(canvas).evaluate((element) => {
    const { width, height } = element as HTMLCanvasElement
    const context = (element as HTMLCanvasElement).getContext('2d')!
    return [...context.getImageData(width / 2, height / 2, 1, 1).data]
  })
const shown = '[role=application] canvas'

test('shows the screen, and takes keys, text and Ctrl+Alt+Del', async ({ page, machine }) => {
  await page.goto(INSTANCE)
  await page.getByRole('link', { name: 'Screen', exact: true }).click()
  await expect(page).toHaveTitle(/^Screen \/ wheel \//)
  await expect(page.getByText('connected', { exact: true })).toBeVisible()
  await expect.poll(() => colourOf(page, shown)).toEqual([...FIRST_COLOUR.slice(0, 3), 255])
  await expect(page.locator(shown)).toBeFocused()
  await expectAccessible(page)

  await page.keyboard.press('g')
  await expect.poll(() => machine.keys).toEqual([0x67])
  await expect.poll(() => colourOf(page, shown)).toEqual([0x67, 0, 0, 255])
  // This key leaves the screen; every other key goes to the guest.
  await page.keyboard.press('Control+F6')
  await expect(page.getByRole('link', { name: 'Serial console' })).toBeFocused()
  // The guest gets Control, because the key after it is not known yet.
  await expect.poll(() => machine.keys).toEqual([0x67, CTRL_ALT_DEL[0]])

  machine.keys.length = 0
  await tool(page, 'Send Ctrl+Alt+Del').click()
  await expect.poll(() => machine.keys).toEqual(CTRL_ALT_DEL)
  machine.keys.length = 0
  await page.evaluate(() => navigator.clipboard.writeText('Hi\n'))
  await tool(page, 'Type the clipboard').click()
  await expect.poll(() => machine.keys).toEqual([0xff_e1, 0x48, 0x69, 0xff_0d])
  expect(machine.cutTexts).toEqual(['Hi\n'])
})

test('fits into the page, fills the display, and gives its picture @long', async ({ page }) => {
  await page.goto(`${INSTANCE}/display`)
  const canvas = page.locator(shown)
  await expect(canvas).toBeVisible()
  const widthOf = async () => (await canvas.boundingBox())!.width
  expect(await widthOf()).toBeGreaterThan(size.width)
  await tool(page, 'Show in its own size').click()
  await expect.poll(widthOf).toBe(size.width)
  await tool(page, 'Fit into the page').click()
  await expect.poll(widthOf).toBeGreaterThan(size.width)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    tool(page, 'Download a picture').click(),
  ])
  expect(download.suggestedFilename()).toBe('wheel-screen.png')
  const png = await readFile(await download.path())
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size.width, size.height])

  await tool(page, 'Full screen').click()
  await expect
    .poll(() => page.evaluate(() => document.fullscreenElement?.getAttribute('aria-label')))
    .toBe('Screen')
})

test('connects again after a lost connection, and says why it cannot @long', async ({
  page,
  machine,
}) => {
  await page.goto(`${INSTANCE}/display`)
  await expect(page.locator(shown)).toBeVisible()
  machine.hangUp()
  await expect(page.getByText('Connection lost: the machine has ended its screen.')).toBeVisible()
  await expect(page.getByText('connected', { exact: true })).toBeVisible()
  await expect.poll(() => colourOf(page, shown)).toEqual([...FIRST_COLOUR.slice(0, 3), 255])
})

test('says that it could not be shown, and tries again @long', async ({
  page,
  machine,
  consoleErrors,
}) => {
  machine.problem = 'the machine does not answer'
  await page.goto(`${INSTANCE}/display`)
  await expect(page.getByRole('heading', { name: 'The screen could not be shown' })).toBeVisible()
  await expectAccessible(page)
  machine.problem = undefined
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.locator(shown)).toBeVisible()
  consoleErrors.expect(/WebSocket|503|Failed when connecting/)
})

test('waits while the instance is off @long', async ({ page, api, seed }) => {
  await page.goto(`${INSTANCE}/display`)
  await expect(page.locator(shown)).toBeVisible()
  await api.instanceStop({ path: { instance: 'wheel' }, query: { project: 'mill' } })
  await seed.until('mill', 'wheel', 'stopped')
  await page.reload()
  await expect(page.getByText('Only running instances show a screen.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.locator(shown)).toBeVisible()
})

test('is shown in small on the page of the instance @long', async ({
  page,
  machine,
  consoleErrors,
}) => {
  await page.goto(`${INSTANCE}/connect`)
  const small = page.getByRole('link', { name: 'Screen', exact: true })
  await expect.poll(() => colourOf(page, 'a canvas')).toEqual([150, 150, 150, 255])
  await expectAccessible(page)
  machine.problem = 'the machine does not answer'
  await page.reload()
  await expect(small).toHaveText('The screen could not be read')
  await page.getByRole('link', { name: 'Connect to the screen' }).click()
  await expect(page).toHaveURL(`${INSTANCE}/display`)
  consoleErrors.expect(/WebSocket|503|Failed when connecting/)
})

base('is not offered with an engine without screens @long', async ({ page, project, seed }) => {
  await seed.until(project.name, 'wheel', 'running')
  await page.goto(`${INSTANCE}/connect`)
  await expect(page.getByRole('heading', { name: 'SSH' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Screen', exact: true })).toHaveCount(0)
  await page.goto(`${INSTANCE}/display`)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})
