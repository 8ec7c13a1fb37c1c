/** The page of a sled that is a host of libvirt. */
import { machinesMissing } from '../../../packages/libvirt/test/support/libvirt.ts'
import { expectAccessible } from '../../support/accessibility.ts'
import { clientOf, signIn, startHost } from '../../support/host.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'

const missing = machinesMissing()
test.skip(missing !== undefined, missing)

test('shows its software, its storage, and domains of nobody', async ({ page, context }) => {
  const host = await startHost({ engine: 'libvirt' })
  try {
    const cookie = await signIn(host.url)
    await context.addCookies([{ name: 'session', value: cookie, url: host.url }])
    const [sled] = (await ok(clientOf(host.url, cookie).sledList({}))).items
    const { db } = host.server.controlPlane.database
    await expect(async () => {
      const { report } = await db
        .selectFrom('libvirt_host')
        .select('report')
        .executeTakeFirstOrThrow()
      expect(report).not.toBeNull()
    }).toPass()
    const uuid = crypto.randomUUID()
    await db
      .insertInto('libvirt_lost_domain')
      .values({
        host: sled!.baseboard.serial,
        uuid,
        name: `steading-${uuid}`,
        uri: 'qemu:///system',
        time_found: new Date().toISOString(),
      })
      .execute()
    await page.goto(`${host.url}/system/inventory/sleds/${sled!.id}`)
    const card = page.getByRole('region', { name: 'Host' })
    await expect(card).toContainText(/libvirt\d+\.\d+\.\d+/)
    await expect(card).toContainText(/Room on its disk[\d.,]+ [KMGT]iB of/)
    await expect(card).toContainText(`virsh -c qemu:///system destroy ${uuid}`)
    await expectAccessible(page)
  } finally {
    await host.close()
  }
})
