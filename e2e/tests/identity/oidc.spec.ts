import { startIndependentProvider } from '../../../packages/control-plane/test/support/oidc/independent.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
} from '../../../packages/control-plane/test/support/oidc/provider.ts'
import { expectAccessible } from '../../support/accessibility.ts'
import { takePictures } from '../../support/pictures.ts'
import { beAtProvider, corp, hostWithProvider } from '../../support/saml.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import { dialog, heading, pressUnder, toasts } from '../../support/ui.ts'

test.use({ hostConfig: hostWithProvider })

test('a silo gets an OpenID Connect provider, through which users sign in and out', async ({
  page,
  host,
  api,
  browser,
  consoleErrors,
}) => {
  consoleErrors.expect(/400|503|API error/)
  const path = `${host.url}/login/corp/oidc/idp`
  const idp = await startIndependentProvider(`${path}/callback`, `${path}/logout`)
  try {
    await ok(api.siloCreate({ body: corp }))
    await page.goto('/system/silos/corp/idps')
    await page.getByRole('link', { name: 'New OpenID provider' }).click()
    const form = dialog(page, 'Create OpenID Connect provider')
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('idp')
    await expect(form.getByRole('textbox', { name: 'Redirect URI' })).toHaveValue(
      `${path}/callback`,
    )
    await form.getByRole('textbox', { name: 'Issuer' }).fill('https://10.0.0.1')
    await form.getByRole('textbox', { name: 'Client ID' }).fill(CLIENT_ID)
    await form.getByLabel('Client secret').fill(CLIENT_SECRET)
    const submit = form.getByRole('button', { name: 'Create provider' })
    await submit.click()
    await expect(form.getByRole('alert')).toContainText('is not on the public internet')
    await expectAccessible(page)
    await takePictures(page, 'create an OpenID Connect provider')
    await form.getByRole('textbox', { name: 'Issuer' }).fill(idp.issuer)
    await submit.click()
    await expect(toasts(page)).toContainText('idp')
    await page.getByRole('link', { name: 'idp', exact: true }).click()
    await expect(page.getByText(`${path}/logout`)).toBeVisible()
    const edit = dialog(page, 'idp')
    await edit.getByRole('checkbox', { name: 'Sign out at the provider too' }).check()
    await expect(edit.getByText(`${path}/signed-out`)).toBeVisible()
    await expectAccessible(page)
    await takePictures(page, 'an OpenID Connect provider')
    await edit.getByRole('button', { name: 'Update OpenID Connect provider' }).click()
    await expect(toasts(page)).toContainText('updated')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('idp')
    const found = page.getByRole('option', { name: 'idp', exact: true })
    await expect(found).toHaveAccessibleDescription('OpenID Connect provider in corp')
    await found.click()
    await expect(edit).toBeVisible()

    const visitor = await browser.newContext({ baseURL: host.url })
    const tab = await visitor.newPage()
    await tab.goto('/login?silo=corp&redirect_uri=%2Fsettings%2Fprofile')
    await tab.getByRole('link', { name: 'Sign in with idp' }).click()
    await beAtProvider(tab, 'ada')
    await expect(tab).toHaveURL(`${host.url}/settings/profile`)
    await expect(tab.getByText('ada of the provider').first()).toBeVisible()
    await expect(tab.getByText('engineers')).toBeVisible()

    // Signing out at the provider ends the session here at once, and the page says why.
    const there = await visitor.newPage()
    await there.goto(`${idp.issuer}/session/end`)
    await there.getByRole('button', { name: /yes/i }).click()
    // A read of the page may have opened the dialog already.
    await pressUnder(tab, 'button', 'Sign in again')
    await expect(dialog(tab, 'Sign in again')).toContainText('signed out at your identity provider')
    await there.goto(`/login/corp/oidc/idp/callback?state=forged&code=x`)
    await expect(there.getByRole('alert')).toContainText('a request that was not made here')
    await expectAccessible(there)
    await expect(heading(there, 'corp')).toBeVisible()

    // Signing out here ends both sessions, and leads back.
    await tab.goto('/login/corp/oidc/idp?redirect_uri=%2Fsettings%2Fprofile')
    // On a slow machine the notice comes after the link, and moves that.
    await expect(tab.getByText('You were signed out')).toBeVisible()
    await tab.getByRole('link', { name: 'Sign in with idp' }).click()
    await beAtProvider(tab, 'vera')
    await expect(tab.getByText('vera of the provider').first()).toBeVisible()
    await tab.getByRole('button', { name: 'User menu' }).click()
    await tab.getByRole('menuitem', { name: 'Sign out' }).click()
    await tab.getByRole('button', { name: /yes/i }).click()
    await expect(tab).toHaveURL(`${path}`)
    expect((await visitor.cookies()).map(({ name }) => name)).not.toContain('session')
    await tab.getByRole('link', { name: 'Sign in with idp' }).click()
    await expect(tab.getByRole('heading', { name: 'Who are you?' })).toBeVisible()
    await visitor.close()
  } finally {
    await idp.close()
  }
})
