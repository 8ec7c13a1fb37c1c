/** The page of a sled that is a host of libvirt. */
import { openLibvirt } from '../../../packages/libvirt/src/native/libvirt.ts'
import { defaultUri } from '../../../packages/libvirt/src/options.ts'
import { machinesMissing } from '../../../packages/libvirt/test/support/libvirt.ts'
import { expectAccessible } from '../../support/accessibility.ts'
import { startHost } from '../../support/host.ts'
import { ok } from '../../support/seed.ts'
import { expect, test as base } from '../../support/test.ts'

const missing = machinesMissing()

const test = base.extend<{ lost: { uuid: string; uri: string } }>({
  /** A domain that belongs to no instance. */
  // eslint-disable-next-line no-empty-pattern -- how a fixture without needs is written
  lost: async ({}, use) => {
    const libvirt = await openLibvirt(defaultUri())
    const uuid = crypto.randomUUID()
    await libvirt.define(
      uuid,
      `<domain type='qemu'><name>steading-${uuid}</name><uuid>${uuid}</uuid><memory>32768</memory>
        <os><type arch='x86_64' machine='q35'>hvm</type></os></domain>`,
    )
    await use({ uuid, uri: libvirt.uri })
    await libvirt.undefine(uuid)
    await libvirt.close()
  },
  // Found by the first report of the host.
  host: async ({ lost }, use) => {
    expect(lost).toBeDefined()
    const host = await startHost({ engine: 'libvirt' })
    await use(host)
    await host.close()
  },
})
test.skip(missing !== undefined, missing)

test('shows its software, its storage, and domains of nobody @long', async ({
  page,
  host,
  api,
  lost,
}) => {
  const [sled] = (await ok(api.sledList({}))).items
  const { db } = host.server.controlPlane.database
  await expect
    .poll(() => db.selectFrom('libvirt_lost_domain').select('uuid').execute())
    .toContainEqual({ uuid: lost.uuid })
  await page.goto(`/system/inventory/sleds/${sled!.id}`)
  const card = page.getByRole('region', { name: 'Host' })
  await expect(card).toContainText(/libvirt\d+\.\d+\.\d+/)
  await expect(card).toContainText(/FirmwareBIOS/)
  await expect(card).toContainText(/Room on its disk[\d.,]+ [KMGT]iB of/)
  await expect(card).toContainText(`virsh -c ${lost.uri} destroy ${lost.uuid}`)
  await expectAccessible(page)
})
