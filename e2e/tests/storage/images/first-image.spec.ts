/** The first bootable image of a new cloud with an engine of real machines. */
import { simulatedEngine } from '@steading/simulator'
import { memoryBlockStore } from '../../../../packages/control-plane/src/engines/volumes/memory.ts'
import {
  loopback,
  sha256,
  startImageServer,
} from '../../../../packages/control-plane/test/support/image-server.ts'
import { expectAccessible } from '../../../support/accessibility.ts'
import { startHost } from '../../../support/host.ts'
import { ok } from '../../../support/seed.ts'
import { expect, test as base } from '../../../support/test.ts'

/** The first sector of a disk that has no boot loader, of 1 MiB. */
const disk = new Uint8Array(1024 ** 2)
disk.set([0x55, 0xaa], 510)

const test = base.extend({
  // An engine that looks at the disks, whose machines find nothing on them.
  // eslint-disable-next-line no-empty-pattern -- how a fixture without needs is written
  host: async ({}, use) => {
    const simulated = simulatedEngine(memoryBlockStore(), { bootMs: 0, stopMs: 0, rebootMs: 0 })
    const host = await startHost({ imageNetworks: loopback }, async () => ({
      ...simulated,
      open(parts) {
        const engines = simulated.open(parts)
        const { machines, volumes } = engines
        return {
          ...engines,
          simulation: undefined,
          volumes: { ...volumes, boots: async () => false },
          machines: {
            ...machines,
            observe: async (id) => ({ ...(await machines.observe(id)), nothingToBoot: true }),
          },
        }
      },
    }))
    await use(host)
    await host.close()
  },
})

test('one click imports an image of the catalog, and warnings say that it has no boot loader @long', async ({
  page,
  api,
  project,
}) => {
  const images = await startImageServer()
  images.files['/small.raw'] = { bytes: disk }
  await ok(
    api.imageCatalogUpdate({
      body: {
        images: [
          {
            name: 'Small 1',
            os: 'Small',
            version: '1',
            architecture: 'x86_64',
            url: `${images.url}/small.raw`,
            checksum: { type: 'sha256', value: sha256(disk) },
            user: '',
          },
        ],
      },
    }),
  )
  await page.goto(`/projects/${project.name}/instances-new`)
  const boot = page.getByRole('region', { name: 'Boot disk' })
  await expectAccessible(page)
  await boot.getByRole('button', { name: 'Get Small 1' }).click()
  // It is chosen once it is ready.
  await expect(boot.getByRole('combobox', { name: 'Image' })).toHaveValue('small-1')
  await expect(boot.getByText('Nothing to boot from: this image has no boot loader')).toBeVisible()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('wheel')
  await page.getByRole('button', { name: 'Create instance' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Nothing to boot from' })).toBeVisible()
  await images.close()
})
