import { BlockList } from 'node:net'
import type { Page } from '@playwright/test'
import type { ApiClient } from '@steading/api/client'
import { expectAccessible } from '../support/accessibility.ts'
import type { Host } from '../support/host.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { ok } from '../support/seed.ts'
import { expect, test } from '../support/test.ts'
import { heading } from '../support/ui.ts'

const metadataNetworks = new BlockList()
metadataNetworks.addAddress('127.0.0.1')
metadataNetworks.addAddress('::1', 'ipv6')

/** A silo whose users come from a provider of its own. */
async function withProvider(
  { url }: Host,
  api: ApiClient,
  work: (idp: IdentityProvider) => Promise<void>,
): Promise<void> {
  const acsUrl = `${url}/login/corp/saml/idp`
  const idp = await startIdentityProvider(acsUrl)
  try {
    await ok(
      api.siloCreate({
        body: {
          name: 'corp',
          description: '',
          identityMode: 'saml_jit',
          discoverable: true,
          adminGroupName: 'admins',
          quotas: { cpus: 8, memory: 2 ** 30, storage: 2 ** 30 },
          mappedFleetRoles: {},
          tlsCertificates: [],
        },
      }),
    )
    await ok(
      api.samlIdentityProviderCreate({
        query: { silo: 'corp' },
        body: {
          name: 'idp',
          description: '',
          idpMetadataSource: { type: 'url', url: idp.metadataUrl },
          idpEntityId: idp.entityId,
          spClientId: 'urn:example:steading',
          acsUrl,
          sloUrl: url,
          technicalContactEmail: 'ops@example.com',
          groupAttributeName: 'groups',
        },
      }),
    )
    await work(idp)
  } finally {
    await idp.close()
  }
}

/** Goes to the provider, and is somebody there. */
async function signInAs(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with idp' }).click()
  await expect(heading(page, 'Who are you?')).toBeVisible()
  await page.getByRole('link', { name }).click()
}

test.describe('signing in through an identity provider', () => {
  test.use({ hostConfig: { metadataNetworks }, storageState: { cookies: [], origins: [] } })

  test('leads there and back, to the page that was asked for', async ({ page, host, api }) => {
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

  test('says why it was refused, and leads to another try', async ({
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
      expect(await page.context().cookies()).toEqual([])
      await signInAs(page, 'ada')
      await expect(heading(page, 'Projects')).toBeVisible()
    })
  })
})
