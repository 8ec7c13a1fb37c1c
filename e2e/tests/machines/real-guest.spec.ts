/** A guest that runs code: its disk keeps what was written, wherever the disk goes. */
import type { Page } from '@playwright/test'
import { firmwareChoice } from '@steading/api/rules'
import { clientOf, signIn, startHost } from '../../support/host.ts'
import { expectUploaded, fillUpload, submitUpload } from '../../support/images.ts'
import { guestsMissing, prepareMachines } from '../../support/machines.ts'
import { GiB, ok, seedWith } from '../../support/seed.ts'
import { connected, line, screen } from '../../support/terminal.ts'
import { expect, test } from '../../support/test.ts'

const missing = guestsMissing()
test.skip(missing !== undefined, `No real guests: ${missing}.`)
// An emulated guest boots in seconds, on a busy machine in a minute.
test.setTimeout(600_000)
const BOOT = { timeout: 300_000 }

/** Signs in at the serial console of a guest that has booted. */
async function openShell(page: Page, url: string, instance: string): Promise<void> {
  await page.goto(`${url}/projects/mill/instances/${instance}/serial-console`)
  await expect(connected(page)).toBeVisible(BOOT)
  await expect(line(page, `${instance} login:`).last()).toBeVisible(BOOT)
  await screen(page).getByRole('textbox').focus()
  await page.keyboard.type('root\n')
  await expect(line(page, /# ?$/).last()).toBeVisible()
}

test('a file survives a stop, and comes along with a snapshot @long', async ({
  page,
  context,
  consoleErrors,
}) => {
  // The browser's own message about the unused name of an image.
  consoleErrors.expect(/status of 404/)
  const machines = await prepareMachines()
  const host = await startHost({ engine: 'libvirt', data: machines.data, bootMs: 0 })
  try {
    const cookie = await signIn(host.url)
    await context.addCookies([{ name: 'session', value: cookie, url: host.url }])
    const api = clientOf(host.url, cookie)
    const seed = seedWith(api)
    const { name: project } = await seed.project('mill', 'Grinds')
    const query = { project }

    await page.goto(`${host.url}/projects/mill/images-new`)
    await fillUpload(page, machines.file)
    await submitUpload(page)
    await expectUploaded(page, BOOT)
    const [image] = (await ok(api.imageList({ query }))).items

    await ok(
      api.instanceCreate({
        query,
        body: {
          name: 'wheel',
          description: '',
          hostname: 'wheel',
          ncpus: 1,
          memory: GiB,
          start: true,
          networkInterfaces: { type: 'default_ipv4' },
          bootDisk: {
            type: 'create',
            name: 'wheel-boot',
            description: '',
            size: GiB,
            diskBackend: {
              type: 'distributed',
              diskSource: { type: 'image', imageId: image!.id },
            },
          },
        },
      }),
    )
    await openShell(page, host.url, 'wheel')
    await page.keyboard.type('echo kept-$((40+2)) >/root/note; sync\n')
    await page.keyboard.type('cat /root/note\n')
    await expect(line(page, /^kept-42/)).toBeVisible()

    await page.goto(`${host.url}/projects/mill/instances/wheel`)
    const boot = page.getByRole('region', { name: 'Boot disk' })
    await expect(boot.getByText('Booted by BIOS')).toBeVisible()
    await expect(boot.getByRole('button', { name: 'Tip' })).toHaveAccessibleDescription(
      firmwareChoice,
    )
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await seed.until(project, 'wheel', 'stopped')
    await ok(api.instanceStart({ path: { instance: 'wheel' }, query }))
    await openShell(page, host.url, 'wheel')
    await page.keyboard.type('cat /root/note\n')
    await expect(line(page, /^kept-42/)).toBeVisible()

    const body = { name: 'with-note', description: '', disk: 'wheel-boot' }
    const snapshot = await ok(api.snapshotCreate({ query, body }))
    await ok(
      api.instanceCreate({
        query,
        body: {
          name: 'other',
          description: '',
          hostname: 'other',
          ncpus: 1,
          memory: GiB,
          start: true,
          networkInterfaces: { type: 'none' },
          bootDisk: {
            type: 'create',
            name: 'other-boot',
            description: '',
            size: GiB,
            diskBackend: {
              type: 'distributed',
              diskSource: { type: 'snapshot', snapshotId: snapshot.id },
            },
          },
        },
      }),
    )
    await openShell(page, host.url, 'other')
    await page.keyboard.type('cat /root/note\n')
    await expect(line(page, /^kept-42/)).toBeVisible()

    // The page would read the instance that is being deleted.
    await page.goto('about:blank')
    for (const instance of ['wheel', 'other']) {
      await ok(api.instanceStop({ path: { instance }, query }))
      await seed.until(project, instance, 'stopped')
      await ok(api.instanceDelete({ path: { instance }, query }))
    }
  } finally {
    await page.goto('about:blank')
    await host.close()
    await machines.close()
  }
})
