/** Silos whose users sign in through an identity provider. */
import { BlockList } from 'node:net'
import { expect, type Page } from '@playwright/test'
import type { ApiClient, SiloCreate } from '@steading/api/client'
import type { Host } from './host.ts'
import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts'
import { ok } from './seed.ts'
import { heading } from './ui.ts'

/** Host configuration for a provider on this machine. */
export const hostWithProvider = { metadataNetworks: new BlockList() }
hostWithProvider.metadataNetworks.addAddress('127.0.0.1')
hostWithProvider.metadataNetworks.addAddress('::1', 'ipv6')

export const corp = {
  name: 'corp',
  description: '',
  identityMode: 'saml_jit',
  discoverable: true,
  adminGroupName: 'admins',
  quotas: { cpus: 8, memory: 2 ** 30, storage: 2 ** 30 },
  mappedFleetRoles: {},
  tlsCertificates: [],
} as const satisfies SiloCreate

/** A silo with its own identity provider. */
export async function withProvider(
  { url }: Host,
  api: ApiClient,
  work: (idp: IdentityProvider) => Promise<void>,
): Promise<void> {
  const acsUrl = `${url}/login/corp/saml/idp`
  const idp = await startIdentityProvider(acsUrl)
  try {
    await ok(api.siloCreate({ body: corp }))
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

/** Chooses a user on the provider's page. */
export async function beAtProvider(page: Page, name: string): Promise<void> {
  await expect(heading(page, 'Who are you?')).toBeVisible()
  await page.getByRole('link', { name }).click()
}

/** Follows the login page to the provider, and signs in there as a user. */
export async function signInAs(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with idp' }).click()
  await beAtProvider(page, name)
}

/** The session after signing in through a provider, for an API client. */
export async function sessionOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies()
  return cookies.find(({ name }) => name === 'session')!.value
}
