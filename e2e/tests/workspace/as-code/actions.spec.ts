import { expect, test } from '../../../support/test.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../../../support/accessibility.ts'
import {
  chooseLanguage,
  codeIn,
  copyCode,
  runShell,
  runTypeScript,
  showAsCode,
} from '../../../support/as-code.ts'
import { addSubnet } from '../../../support/networks.ts'
import { ok } from '../../../support/seed.ts'
import { closeByEscape, dialog, rowAction } from '../../../support/ui.ts'

test('a confirmation shows the code of its action @long', async ({
  page,
  project,
  seed,
  session,
}, info) => {
  await seed.instance(project.name, 'stone')
  await page.goto('/projects/mill/instances')
  await rowAction(page, 'stone', 'Start')
  const question = dialog(page, 'Start instance')
  await showAsCode(question, 'curl')
  await expectAccessible(page)
  await runShell(await copyCode(question), session)
  await seed.until('mill', 'stone', 'running')
  await chooseLanguage(question, 'Terraform')
  await expect(codeIn(question)).toHaveText(
    'The Terraform provider has no resource for this: it declares resources, and does not start existing instances.',
  )
  await expect(question.getByRole('button', { name: 'Copy' })).toBeHidden()
  await closeByEscape(page)
  await expect(question).toBeHidden()
  await rowAction(page, 'stone', 'Stop')
  const other = dialog(page, 'Stop instance')
  await showAsCode(other, 'TypeScript')
  await runTypeScript(await copyCode(other), session, info.outputDir)
  await seed.until('mill', 'stone', 'stopped')
})

test('a deletion shows the part to remove from a configuration @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.disk(project.name, 'flour')
  await page.goto('/projects/mill/disks')
  await rowAction(page, 'flour', 'Delete')
  const question = dialog(page, 'Delete disk')
  await expect(await showAsCode(question, 'Terraform')).toContainText(
    'Remove the oxide_disk of “flour” from the configuration.',
  )
  await chooseLanguage(question, 'curl')
  await expect(codeIn(question)).toContainText(/DELETE '.*\/v1\/disks\/flour\?project=mill'/)
  await page.setViewportSize({ width: 360, height: 640 })
  await expectNoSidewaysScroll(page)
  await expect(question.getByRole('button', { name: 'Confirm' })).toBeInViewport()
})

test('a small form updates its code while it is filled in @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.instance(project.name, 'stone')
  await page.goto('/projects/mill/instances')
  await rowAction(page, 'stone', 'Resize')
  const form = dialog(page, 'Resize instance')
  const code = await showAsCode(form, 'Terraform')
  await form.getByRole('spinbutton', { name: 'vCPUs' }).fill('6')
  await page.keyboard.press('Tab')
  await expect(code).toContainText(/ncpus\s+= 6/)
})

test('actions without a confirmation have a place for their code @long', async ({
  page,
  project,
  seed,
  api,
  session,
}) => {
  await seed.disk(project.name, 'flour')
  await page.goto('/projects/mill/disks')
  await rowAction(page, 'flour', 'Show as code')
  const shown = dialog(page, 'Snapshot of flour')
  await chooseLanguage(shown, 'curl')
  await expectAccessible(page)
  await runShell(await copyCode(shown), session)
  await shown.getByRole('button', { name: 'Close' }).last().click()
  await expect(shown).toBeHidden()
  const { items } = await ok(api.snapshotList({ query: { project: 'mill' } }))
  expect(items.map(({ name }) => name)).toEqual([expect.stringMatching(/^flour-[0-9a-f]{6}$/)])
})

test('the shown code makes an interface primary @long', async ({
  page,
  project,
  seed,
  api,
  session,
}) => {
  await addSubnet(api, project.name, 'backend', '10.7.0.0/24')
  const nic = (name: string, subnetName: string) => ({
    name,
    description: '',
    vpcName: 'default',
    subnetName,
    ipConfig: { type: 'v4' as const, value: { ip: { type: 'auto' as const } } },
  })
  await seed.instance(project.name, 'stone', {
    networkInterfaces: {
      type: 'create',
      params: [nic('front', 'default'), nic('side', 'backend')],
    },
  })
  await page.goto('/projects/mill/instances/stone/networking')
  await rowAction(page, 'side', 'Show as code')
  const shown = dialog(page, 'Make side primary')
  await chooseLanguage(shown, 'Terraform')
  await expect(codeIn(shown)).toContainText('which interface is primary can only be read')
  await chooseLanguage(shown, 'curl')
  await runShell(await copyCode(shown), session)
  const { items } = await ok(
    api.instanceNetworkInterfaceList({ query: { project: 'mill', instance: 'stone' } }),
  )
  expect(items.find(({ primary }) => primary)?.name).toBe('side')
})

test('a policy is shown before it is saved @long', async ({ page, project, seed }) => {
  await seed.instance(project.name, 'stone')
  await page.goto('/projects/mill/instances/stone/settings')
  const code = await showAsCode(page, 'TypeScript')
  await expect(code).toContainText('autoRestartPolicy: null')
  await page.getByRole('button', { name: 'Policy' }).click()
  await page.getByRole('option', { name: 'Never' }).click()
  await expect(code).toContainText("autoRestartPolicy: 'never'")
})

test('a disk created for attaching is shown with both calls @long', async ({
  page,
  project,
  seed,
  api,
  session,
}) => {
  await seed.instance(project.name, 'stone')
  await page.goto('/projects/mill/instances/stone/storage')
  await page.getByRole('button', { name: 'Create disk' }).click()
  const form = dialog(page, 'Create disk')
  await form.getByRole('textbox', { name: 'Name' }).fill('flour')
  await showAsCode(form, 'Terraform')
  await expect(codeIn(form)).toContainText('oxide_disk.flour.id,')
  await chooseLanguage(form, 'curl')
  await runShell(await copyCode(form), session)
  const { items } = await ok(
    api.instanceDiskList({ path: { instance: 'stone' }, query: { project: 'mill' } }),
  )
  expect(items.map(({ name }) => name)).toEqual(['flour'])
})
