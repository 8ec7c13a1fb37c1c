/** The screen of a real guest: its firmware finds no disk, and says so. */
import type { Page } from '@playwright/test'
import { killQemu } from '../../../../packages/libvirt/test/support/guest.ts'
import { machinesMissing } from '../../../../packages/libvirt/test/support/libvirt.ts'
import { startHost } from '../../../support/host.ts'
import { expect, test as base } from '../../../support/test.ts'

const missing = machinesMissing()

const test = base.extend({
  // eslint-disable-next-line no-empty-pattern -- how a fixture without needs is written
  host: async ({}, use) => {
    const host = await startHost({ engine: 'libvirt' })
    await use(host)
    await host.close()
  },
})

const coloursOf = (page: Page, canvas: string) =>
  page.locator(canvas).evaluate((element) => {
    const { width, height } = element as HTMLCanvasElement
    const { data } = (element as HTMLCanvasElement)
      .getContext('2d')!
      .getImageData(0, 0, width, height)
    return new Set(new Uint32Array(data.buffer)).size
  })

test('is shown in colours, in small and in full, and ends with the guest @long', async ({
  page,
  project,
  host,
  api,
  seed,
  consoleErrors,
}) => {
  test.skip(missing !== undefined, missing)
  test.slow()
  await seed.instance(project.name, 'wheel', {
    start: true,
    memory: 1024 ** 3,
    autoRestartPolicy: 'never',
  })
  await seed.until('mill', 'wheel', 'running')
  const { machines } = host.server.controlPlane.engines
  /** The firmware takes no notice of a power button. */
  const kill = async () => {
    for (const id of await machines.list()) killQemu(id)
    await seed.until('mill', 'wheel', 'failed')
  }
  const args = { path: { instance: 'wheel' }, query: { project: 'mill' } }
  try {
    await page.goto('/projects/mill/instances/wheel/connect')
    await expect.poll(() => coloursOf(page, 'a canvas')).toBeGreaterThan(1)
    await page.getByRole('link', { name: 'Screen', exact: true }).click()
    await expect(page.getByText('connected', { exact: true })).toBeVisible()
    await expect.poll(() => coloursOf(page, '[role=application] canvas')).toBeGreaterThan(1)
    await page.getByRole('button', { name: 'Send Ctrl+Alt+Del' }).click()
    await expect(page.getByText('connected', { exact: true })).toBeVisible()
    await kill()
    await expect(page.getByRole('heading', { name: 'The instance is failed' })).toBeVisible()
    await page.goto('/projects')
    // It tries to connect again before it hears of the failure.
    consoleErrors.expect(/WebSocket|Failed when connecting/)
  } finally {
    // Guests outlive their host.
    await kill()
    await api.instanceDelete(args)
    await expect.poll(machines.list).toEqual([])
  }
})
