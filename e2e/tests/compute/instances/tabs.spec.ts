import { expect, test } from '../../../support/test.ts'
import {
  choose,
  closeByEscape,
  confirm,
  dialog,
  expectDisabled,
  openRowActions,
  row,
  rowAction,
  toasts,
} from '../../../support/ui.ts'
import { ok } from '../../../support/seed.ts'

const BASE = '/projects/mill/instances/wheel'
const wheel = { path: { instance: 'wheel' }, query: { project: 'mill' } }

test('tabs are links, and arrow keys move between them @long', async ({ page, project, seed }) => {
  await seed.instance(project.name, 'wheel')
  await page.goto(BASE)
  const tab = (name: string) => page.getByRole('tab', { name })
  await expect(page.getByRole('tab')).toHaveText([
    'Storage',
    'Networking',
    'Metrics',
    'Connect',
    'Settings',
    'History',
  ])
  await expect(tab('Storage')).toHaveAttribute('aria-selected', 'true')
  await tab('Storage').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(`${BASE}/networking`)
  await expect(tab('Networking')).toBeFocused()
  await expect(page).toHaveTitle(
    'Networking / wheel / Instances / mill / Projects / Steading Console',
  )
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(page).toHaveURL(`${BASE}/history`)
  await expect(tab('History')).toBeFocused()
})

test.describe('storage', () => {
  const boot = { type: 'create', name: 'root', description: '', size: 10 * 1024 ** 3 } as const
  const blank = {
    diskBackend: { type: 'distributed', diskSource: { type: 'blank', blockSize: 512 } },
  } as const

  test.beforeEach(async ({ page, project, seed }) => {
    await seed.disk(project.name, 'sacks')
    await seed.instance(project.name, 'wheel', { bootDisk: { ...boot, ...blank } })
    await page.goto(`${BASE}/storage`)
  })

  test('a disk is attached, made the boot disk, and detached', async ({ page, api }) => {
    const table = (label: string) => page.getByRole('table', { name: label })
    await expect(
      table('Boot disk').getByRole('button', { name: 'root', exact: true }),
    ).toBeVisible()
    await expect(page.getByText('No other disks')).toBeVisible()
    const menu = await openRowActions(page, 'root')
    await expectDisabled(
      menu.getByRole('menuitem', { name: 'Detach' }),
      'Boot disk must be unset before it can be detached',
    )
    await closeByEscape(page)

    await page.getByRole('button', { name: 'Attach existing disk' }).click()
    const modal = dialog(page, 'Attach disk')
    await choose(modal.getByRole('combobox', { name: 'Disk name' }), 'sacks')
    await modal.getByRole('button', { name: 'Attach disk' }).click()
    await expect(modal).toBeHidden()
    await expect(toasts(page)).toContainText('Disk sacks attached')
    await expect(
      table('Additional disks').getByRole('button', { name: 'sacks', exact: true }),
    ).toBeVisible()

    await rowAction(page, 'sacks', 'Set as boot disk')
    await expect(dialog(page, 'Change boot disk')).toContainText(
      'Are you sure you want to change the boot disk to sacks?',
    )
    await confirm(page, 'Change boot disk')
    await expect(
      table('Boot disk').getByRole('button', { name: 'sacks', exact: true }),
    ).toBeVisible()

    await rowAction(page, 'sacks', 'Unset as boot disk')
    await expect(dialog(page, 'Unset boot disk')).toContainText(
      'Are you sure you want to unset sacks as the boot disk? It will remain attached to the instance.',
    )
    await confirm(page, 'Unset boot disk')
    await expect(page.getByText('No boot disk set')).toBeVisible()
    await rowAction(page, 'root', 'Detach')
    await confirm(page, 'Detach disk')
    await expect(toasts(page)).toContainText('Disk root detached')
    await expect(
      page.getByText('Instance will boot from sacks because it is the only disk.'),
    ).toBeVisible()
    const { items } = await ok(api.instanceDiskList(wheel))
    expect(items.map(({ name }) => name)).toEqual(['sacks'])
  })

  test('a new disk is created and attached in one step @long', async ({ page }) => {
    await page.getByRole('button', { name: 'Create disk' }).click()
    const form = dialog(page, 'Create disk')
    await form.getByRole('textbox', { name: 'Name' }).fill('flour')
    await form.getByRole('button', { name: 'Create disk' }).click()
    await expect(toasts(page)).toContainText('Disk flour created')
    await expect(row(page, 'flour').getByText('attached')).toBeVisible()
  })

  test('nothing can be changed while the instance runs, and the buttons show the reason @long', async ({
    page,
    api,
    seed,
  }) => {
    await ok(api.instanceStart(wheel))
    await seed.until('mill', 'wheel', 'running')
    await expectDisabled(
      page.getByRole('button', { name: 'Attach existing disk' }),
      'Instance must be stopped to attach a disk',
    )
    await expectDisabled(
      page.getByRole('button', { name: 'Create disk' }),
      'Instance must be stopped to create and attach a disk',
    )
    const menu = await openRowActions(page, 'root')
    await expectDisabled(
      menu.getByRole('menuitem', { name: 'Unset as boot disk' }),
      'Instance must be stopped before boot disk can be changed',
    )
  })

  test('a disk opens its details @long', async ({ page }) => {
    await page.getByRole('button', { name: 'root', exact: true }).click()
    const details = dialog(page, 'Disk details')
    await expect(details.getByText('512 bytes')).toBeVisible()
    await details.getByRole('button', { name: 'Close' }).first().click()
    await expect(details).toBeHidden()
  })
})

test('networking shows addresses and interfaces @long', async ({ page, project, seed, api }) => {
  await seed.instance(project.name, 'wheel', {
    networkInterfaces: { type: 'default_ipv4' },
    externalIps: [{ type: 'ephemeral' }],
  })
  const { items } = await ok(api.instanceExternalIpList(wheel))
  const { ip } = items.find(({ kind }) => kind === 'ephemeral')!
  await page.goto(`${BASE}/networking`)
  const ips = page.getByRole('table', { name: 'External IPs' })
  await expect(ips.getByRole('columnheader')).toContainText([
    'ip',
    'Kind',
    'Version',
    'IP pool',
    'name',
    'description',
    'Actions',
  ])
  const ephemeral = ips.getByRole('row').filter({ hasText: ip })
  await expect(ephemeral.getByRole('link', { name: ip })).toHaveAttribute('href', `https://${ip}`)
  await expect(ephemeral.getByText('ephemeral')).toBeVisible()
  await ephemeral.getByRole('button', { name: 'default' }).click()
  await expect(dialog(page, 'IP pool details').getByText('Addresses for instances')).toBeVisible()
  await closeByEscape(page)

  const nics = page.getByRole('table', { name: 'Network interfaces' })
  const primary = nics.getByRole('row').filter({ hasText: 'primary' })
  await expect(primary.getByRole('cell', { name: /172\.30\.0\.\d+/ })).toBeVisible()
  await expect(primary.getByRole('cell', { name: 'default', exact: true })).toHaveCount(2)
})

test('connect shows the ways to log in @long', async ({ page, project, seed }) => {
  await seed.instance(project.name, 'wheel')
  await page.goto(`${BASE}/connect`)
  await expect(page.getByText('ssh [username]@[external IP]')).toBeVisible()
  await page.getByRole('tabpanel').getByRole('link', { name: 'networking' }).click()
  await expect(page).toHaveURL(`${BASE}/networking`)
  await page.getByRole('tab', { name: 'Connect' }).click()
  await page.getByRole('tabpanel').getByRole('link', { name: 'Connect', exact: true }).click()
  await expect(page).toHaveURL(`${BASE}/serial-console`)
})
