import type { Page } from '@playwright/test'
import { ADMIN_PASSWORD } from './host.ts'

/** The address of a host by name: browsers use passkeys at a host name only. */
export const named = (url: string): string => url.replace('127.0.0.1', 'localhost')

/** An authenticator of the browser that confirms everything. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Fills in the sign-in page. */
export async function enterPassword(page: Page, username = 'admin', password = ADMIN_PASSWORD) {
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
