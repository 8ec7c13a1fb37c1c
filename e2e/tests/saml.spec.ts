import { service } from '../../packages/control-plane/test/support/saml/keys.ts'
import { ENTITY_ID, metadataOf } from '../../packages/control-plane/test/support/saml/provider.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { clientOf } from '../support/host.ts'
import {
  beAtProvider,
  corp,
  hostWithProvider,
  sessionOf,
  signInAs,
  withProvider,
} from '../support/saml.ts'
import { takePictures } from '../support/pictures.ts'
import { ok } from '../support/seed.ts'
import { expect, test } from '../support/test.ts'
import {
  closeByEscape,
  dialog,
  expectFieldError,
  heading,
  pressUnder,
  row,
  toasts,
} from '../support/ui.ts'

test.describe('signing in through an identity provider', () => {
  test.use({ hostConfig: hostWithProvider, storageState: { cookies: [], origins: [] } })

  test('leads there and back, to the requested page', async ({ page, host, api }) => {
    await withProvider(host, api, async () => {
      await page.goto('/login/corp/saml/idp?redirect_uri=%2Fsettings%2Fprofile')
      await expect(heading(page, 'corp')).toBeVisible()
      await expectAccessible(page)
      await signInAs(page, 'ada')
      await expect(page).toHaveURL(`${host.url}/settings/profile`)
      await expect(page.getByText('ada', { exact: true }).first()).toBeVisible()
      await expect(page.getByText('engineers')).toBeVisible()
      // An admin of the silo, by a group of the provider.
      await page.goto('/projects-new')
      await page.getByRole('textbox', { name: 'Name' }).fill('first')
      await page.getByRole('button', { name: 'Create project' }).click()
      await expect(page).toHaveURL(/\/projects\/first/)
    })
  })

  test('shows the reason for a refusal, and offers another attempt @long', async ({
    page,
    host,
    api,
    consoleErrors,
  }) => {
    consoleErrors.expect(/400/)
    await withProvider(host, api, async () => {
      await page.goto('/login/corp/saml/idp')
      await signInAs(page, 'mallory')
      await expect(page.getByRole('alert')).toContainText('Could not sign in')
      await expect(page.getByRole('alert')).toContainText('the signature does not match')
      await expect(page).toHaveURL(`${host.url}/login/corp/saml/idp`)
      await expectAccessible(page)
      const names = (await page.context().cookies()).map(({ name }) => name)
      expect(names).not.toContain('session')
      await signInAs(page, 'ada')
      await expect(heading(page, 'Projects')).toBeVisible()
    })
  })

  test('signing in again in another tab keeps the page of the expired session @long', async ({
    page,
    host,
    api,
    consoleErrors,
  }) => {
    consoleErrors.expect(/status of 401|API error/)
    await withProvider(host, api, async () => {
      await page.goto('/login/corp/saml/idp?redirect_uri=%2Fprojects-new')
      await signInAs(page, 'ada')
      const form = dialog(page, 'Create project')
      const name = form.getByRole('textbox', { name: 'Name', exact: true })
      await name.fill('forge')
      await clientOf(host.url, await sessionOf(page)).logout()
      await pressUnder(page, 'button', 'Create project')

      const question = dialog(page, 'Sign in again')
      await expect(question.getByRole('link', { name: 'Continue with idp' })).toBeVisible()
      await expect(question.getByLabel('Password')).toBeHidden()
      await expectAccessible(page)
      await takePictures(page, 'sign in again through a provider')
      const opened = page.waitForEvent('popup')
      await question.getByRole('link', { name: 'Continue with idp' }).click()
      const tab = await opened
      const closed = tab.waitForEvent('close')
      await beAtProvider(tab, 'ada')
      await closed
      await expect(question).toBeHidden()
      await dialog(page, 'You are signed in again')
        .getByRole('button', { name: 'Send again' })
        .click()
      await expect(page).toHaveURL('/projects/forge/instances')
    })
  })
})

const SILO = '/system/silos/corp'

const file = (name: string, text: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(text),
})

test('a provider is created from files, and viewed @long', async ({ page, api, consoleErrors }) => {
  consoleErrors.expect(/400|API error/)
  await ok(api.siloCreate({ body: corp }))
  await page.goto(`${SILO}?tab=idps`)
  await expect(page).toHaveURL(`${SILO}/idps`)
  await expect(page.getByRole('heading', { name: 'No identity providers' })).toBeVisible()
  await page.getByRole('link', { name: 'New provider' }).click()

  const form = dialog(page, 'Create identity provider')
  const submit = form.getByRole('button', { name: 'Create provider' })
  const field = (name: string) => form.getByRole('textbox', { name, exact: true })
  await submit.click()
  for (const name of [
    'Technical contact email',
    'Service provider client ID',
    'Single Logout (SLO) URL',
    'Entity ID',
    'Metadata source URL',
  ]) {
    await expectFieldError(field(name), `${name} is required`)
  }
  await expectAccessible(page)

  // The hint and the standard URL follow the name.
  await expect(form.getByText('/login/corp/saml/idp-name').first()).toBeVisible()
  await field('Name').fill('okta')
  const standard = 'https://corp.sys.placeholder/login/corp/saml/okta'
  await expect(field('ACS URL')).toHaveValue(standard)
  await expect(field('ACS URL')).toBeDisabled()
  const usesStandard = form.getByRole('checkbox', { name: 'Use standard ACS URL' })
  await usesStandard.uncheck()
  await field('ACS URL').fill('https://mill.example/acs')
  await usesStandard.check()
  await expect(field('ACS URL')).toHaveValue(standard)

  await field('Technical contact email').fill('ops@mill.example')
  await field('Service provider client ID').fill('https://mill.example')
  await field('Single Logout (SLO) URL').fill('https://mill.example/logout')
  await field('Entity ID').fill(ENTITY_ID)
  await field('Group attribute name').fill('groups')
  const choose = (label: string, name: string, text: string) =>
    form.getByLabel(label, { exact: true }).setInputFiles(file(name, text))
  await form.getByRole('radio', { name: 'XML' }).check()
  await submit.click()
  await expectFieldError(
    form.getByLabel('Metadata source XML', { exact: true }),
    'Metadata source XML is required',
  )
  await choose('Metadata source XML', 'broken.xml', '<a/>')
  await choose('Public certificate', 'service.pem', service.certificate)
  await expect(form.getByText('Requests are signed only with both files')).toBeVisible()
  await choose('Private key', 'service.key', service.key)
  await expect(form.getByText('Requests are signed only with both files')).toBeHidden()
  await submit.click()
  await expect(form.getByRole('alert')).toContainText('could not be parsed as an EntityDescriptor')
  await choose('Metadata source XML', 'idp.xml', metadataOf())
  await submit.click()
  await expect(toasts(page)).toContainText('IdP okta created')
  await expect(page).toHaveURL(`${SILO}/idps`)

  await row(page, 'okta').getByRole('link', { name: 'okta' }).click()
  const panel = dialog(page, 'Identity provider')
  const shown = (name: string) => panel.getByRole('textbox', { name, exact: true })
  await expect(shown('ACS URL')).toHaveValue(standard)
  await expect(shown('Entity ID')).toHaveValue(ENTITY_ID)
  await expect(shown('Group attribute name')).toHaveValue('groups')
  await expect(shown('Technical contact email')).toBeDisabled()
  await expect(panel.getByText('Signed', { exact: true })).toBeVisible()
  await expectAccessible(page)
  // An unsolicited response is refused, unless an administrator allows it.
  const begun = (where: string) => panel.getByText(where, { exact: true })
  await expect(begun('On the sign-in page')).toBeVisible()
  const setting = panel.getByRole('definition').filter({ hasText: 'On the sign-in page' })
  await setting.getByRole('button', { name: 'Change' }).click()
  const question = dialog(page, 'Allow sign-ins that the provider begins')
  await expectAccessible(page)
  await takePictures(page, 'sign-ins that the provider begins')
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(begun('On the sign-in page or at the provider')).toBeVisible()
  const download = page.waitForEvent('download')
  await panel.getByRole('button', { name: 'Download metadata' }).click()
  expect((await download).suggestedFilename()).toBe('okta-metadata.xml')
  await closeByEscape(page)
  await expect(page).toHaveURL(`${SILO}/idps`)
})

test('silos with passwords have no providers @long', async ({ page }) => {
  await page.goto('/system/silos/main/idps')
  await expect(page.getByRole('heading', { name: 'No identity providers' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'New provider' })).toHaveAccessibleDescription(
    'The users of this silo have passwords, and sign in here',
  )
})
