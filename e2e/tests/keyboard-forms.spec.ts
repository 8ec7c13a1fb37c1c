/** Forms about silos and people by keyboard, from the opening button to the result. */
import { metadataOf } from '../../packages/control-plane/test/support/saml/provider.ts'
import { makeCertificate } from '../../packages/api/test/support/certificates.ts'
import { addUser } from '../support/host.ts'
import { chooseFileAt, pressAt, tabTo, typeAt } from '../support/keyboard.ts'
import { GiB, ok } from '../support/seed.ts'
import { expect, test } from '../support/test.ts'
import { dialog, row } from '../support/ui.ts'

test('a silo @long', async ({ page, api }) => {
  await page.goto('/system/silos')
  await expect(row(page, 'main')).toBeVisible()
  await page.getByRole('link', { name: 'New silo' }).press('Enter')
  const form = dialog(page, 'Create silo')
  await typeAt(page, form.getByRole('textbox', { name: 'Name', exact: true }), 'brewery')
  await pressAt(page, form.getByRole('checkbox', { name: /^Discoverable/ }), 'Space')
  await typeAt(page, form.getByRole('spinbutton', { name: /^CPU quota/ }), '16')
  // The modes are one tab stop, and arrow keys move between them.
  await tabTo(page, form.getByRole('radio', { checked: true }))
  await page.keyboard.press('ArrowDown')
  await expect(form.getByRole('radio', { name: /^SAML \+ SCIM/ })).toBeChecked()
  await typeAt(page, form.getByRole('textbox', { name: 'Admin group name' }), 'masters')
  await pressAt(page, form.getByRole('button', { name: 'Create silo' }))
  await expect(form).toBeHidden()
  expect(await ok(api.siloView({ path: { silo: 'brewery' } }))).toMatchObject({
    identityMode: 'saml_scim',
    discoverable: false,
    adminGroupName: 'masters',
  })
})

test('a user @long', async ({ page, api }) => {
  await page.goto('/users')
  await expect(row(page, 'admin')).toBeVisible()
  await page.getByRole('button', { name: 'Create user' }).press('Enter')
  const form = dialog(page, 'Create user')
  await typeAt(page, form.getByRole('textbox', { name: 'Name' }), 'ann')
  await pressAt(page, form.getByRole('button', { name: 'Generate a password' }))
  await pressAt(page, form.getByRole('button', { name: 'Create user' }))
  await expect(row(page, 'ann')).toBeVisible()
  expect((await ok(api.userList({}))).items.map(({ displayName }) => displayName)).toContain('ann')
})

test('an identity provider @long', async ({ page, api }) => {
  const quotas = { cpus: 1, memory: GiB, storage: GiB }
  const body = {
    name: 'corp',
    description: '',
    identityMode: 'saml_jit',
    discoverable: true,
  } as const
  await ok(api.siloCreate({ body: { ...body, quotas, tlsCertificates: [] } }))
  await page.goto('/system/silos/corp/idps')
  await expect(page.getByRole('heading', { name: 'No identity providers' })).toBeVisible()
  await page.getByRole('link', { name: 'New provider' }).press('Enter')
  const form = dialog(page, 'Create identity provider')
  const field = (name: string) => form.getByRole('textbox', { name, exact: true })
  await typeAt(page, field('Name'), 'okta')
  await typeAt(page, field('Technical contact email'), 'ops@mill.example')
  await typeAt(page, field('Service provider client ID'), 'https://mill.example')
  await typeAt(page, field('Single Logout (SLO) URL'), 'https://mill.example/logout')
  await typeAt(page, field('Entity ID'), 'https://idp.example/metadata')
  await tabTo(page, form.getByRole('radio', { name: 'URL' }))
  await page.keyboard.press('ArrowRight')
  await expect(form.getByRole('radio', { name: 'XML' })).toBeChecked()
  const xml = form.getByLabel('Metadata source XML', { exact: true })
  await chooseFileAt(page, xml, { name: 'idp.xml', text: metadataOf() })
  await expect(form.getByText('idp.xml')).toBeVisible()
  await pressAt(page, form.getByRole('button', { name: 'Create provider' }))
  await expect(row(page, 'okta')).toBeVisible()
})

test('a certificate @long', async ({ page }) => {
  const { cert, key } = await makeCertificate({ names: ['main.sys.placeholder'], days: 90 })
  await page.goto('/certificates')
  await expect(page.getByRole('heading', { name: 'No certificates' })).toBeVisible()
  await page.getByRole('link', { name: 'Add certificate' }).press('Enter')
  const form = dialog(page, 'Add TLS certificate')
  await typeAt(page, form.getByRole('textbox', { name: 'Name' }), 'autumn')
  const file = (label: string) => form.getByLabel(label, { exact: true })
  await chooseFileAt(page, file('Cert'), { name: 'autumn.pem', text: cert })
  await chooseFileAt(page, file('Key'), { name: 'autumn.key', text: key })
  await pressAt(page, form.getByRole('button', { name: 'Add certificate' }))
  await expect(row(page, 'autumn')).toBeVisible()
})

test('a role @long', async ({ page, host, api }) => {
  await addUser(host, 'ana')
  await ok(api.groupCreate({ body: { displayName: 'weavers' } }))
  await page.goto('/access')
  await expect(row(page, 'admin')).toBeVisible()
  await page.getByRole('button', { name: 'Add user or group' }).press('Enter')
  const form = dialog(page, 'Add user or group')
  const who = form.getByRole('combobox', { name: 'User or group' })
  await typeAt(page, who, 'wea')
  await expect(page.getByRole('option')).toHaveText([/weavers/])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(who).toHaveValue('weavers')
  await tabTo(page, form.getByRole('radio', { name: /^Viewer/ }))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(form.getByRole('radio', { name: /^Collaborator/ })).toBeChecked()
  await pressAt(page, form.getByRole('button', { name: 'Assign role' }))
  await expect(row(page, 'weavers')).toContainText('silo.collaborator')
})
