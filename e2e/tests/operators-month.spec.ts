import { readFile } from 'node:fs/promises'
import { startIndependentProvider } from '../../packages/control-plane/test/support/oidc/independent.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
} from '../../packages/control-plane/test/support/oidc/provider.ts'
import { ADMIN_PASSWORD } from '../support/host.ts'
import { addAuthenticator, enterPassword, named } from '../support/second-factors.ts'
import { beAtProvider, hostWithProvider } from '../support/saml.ts'
import { expect, test } from '../support/test.ts'
import { confirm, dialog, heading, row, toasts } from '../support/ui.ts'

// Transitions are instant.
test.use({ hostConfig: { ...hostWithProvider, bootMs: 0 }, signedIn: false })

test('passkeys, a silo with OpenID Connect, maintenance of a sled, and the report of the month @long', async ({
  page,
  host,
  project,
  seed,
  browser,
  consoleErrors,
}) => {
  consoleErrors.expect(/40[13]|API error/)
  await seed.instance(project.name, 'wheel', { start: true })
  const origin = named(host.url)
  const callback = `${origin}/login/corp/oidc/idp`
  const idp = await startIndependentProvider(`${callback}/callback`, `${callback}/logout`)
  const visitor = await browser.newContext({ baseURL: origin })
  try {
    // The operator's own passkey, and then one for everybody in the silo.
    await addAuthenticator(page)
    await page.goto(`${origin}/login/main/local?redirect_uri=%2Fsettings%2Fsign-in-security`)
    await enterPassword(page)
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const passkey = dialog(page, 'Add passkey')
    await passkey.getByRole('textbox', { name: 'Name' }).fill('key')
    await passkey.getByRole('textbox', { name: 'Current password' }).fill(ADMIN_PASSWORD)
    await passkey.getByRole('button', { name: 'Create passkey' }).click()
    await dialog(page, 'Recovery codes').getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Sign-in policy' }).click()
    const policy = dialog(page, 'Sign-in policy')
    await policy.getByRole('radio', { name: /^Passkey required/ }).check({ force: true })
    await policy.getByRole('textbox', { name: 'Reason' }).fill('Audit of November')
    await policy.getByRole('button', { name: 'Show as code' }).click()
    await expect(policy.getByText(/x-change-reason: Audit%20of%20November/)).toBeVisible()
    await policy.getByRole('button', { name: 'Update policy' }).click()
    await expect(toasts(page)).toContainText('Sign-in policy updated')
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(heading(page, 'main')).toBeVisible()
    await enterPassword(page)
    await page.getByRole('button', { name: 'Use passkey' }).click()
    await expect(heading(page, 'Projects')).toBeVisible()

    // A silo for a company whose people sign in at its provider.
    await page.goto(`${origin}/system/silos-new`)
    const silo = dialog(page, 'Create silo')
    await silo.getByRole('textbox', { name: 'Name', exact: true }).fill('corp')
    for (const [quota, value] of [
      [/^CPU quota/, '8'],
      [/^Memory quota/, '16'],
      [/^Storage quota/, '100'],
    ] as const) {
      await silo.getByRole('spinbutton', { name: quota }).fill(value)
    }
    await silo.getByRole('textbox', { name: 'Admin group name' }).fill('admins')
    await silo.getByRole('button', { name: 'Create silo' }).click()
    await expect(silo).toBeHidden()
    await page.goto(`${origin}/system/silos/corp/idps`)
    await page.getByRole('link', { name: 'New OpenID provider' }).click()
    const provider = dialog(page, 'Create OpenID Connect provider')
    await provider.getByRole('textbox', { name: 'Name', exact: true }).fill('idp')
    await provider.getByRole('textbox', { name: 'Issuer' }).fill(idp.issuer)
    await provider.getByRole('textbox', { name: 'Client ID' }).fill(CLIENT_ID)
    await provider.getByLabel('Client secret').fill(CLIENT_SECRET)
    await provider.getByRole('button', { name: 'Create provider' }).click()
    await expect(toasts(page)).toContainText('idp')
    const tab = await visitor.newPage()
    await tab.goto('/login?silo=corp&redirect_uri=%2Faccess')
    await tab.getByRole('link', { name: 'Sign in with idp' }).click()
    await beAtProvider(tab, 'ada')
    // The group of administrators comes from the provider, and has its role.
    await expect(row(tab, 'admins')).toContainText('admin')

    // A sled is emptied for new fans.
    await page.goto(`${origin}/projects/${project.name}/instances/wheel/storage`)
    await page.getByRole('button', { name: 'Details' }).click()
    const where = page.getByLabel('Properties table').getByRole('link', { name: /^BRM/ })
    const serial = await where.innerText()
    await where.click()
    await page.getByRole('tab', { name: 'Maintenance' }).click()
    await page.getByRole('button', { name: 'Begin maintenance' }).click()
    const begin = dialog(page, 'Begin maintenance')
    await expect(begin.getByText('1 instance will move to other sleds')).toBeVisible()
    await begin.getByRole('textbox', { name: 'Reason' }).fill('New fans')
    await begin.getByRole('button', { name: 'Begin maintenance' }).click()
    const card = page.getByRole('region', { name: 'Maintenance' })
    await expect(card.getByText('Empty')).toBeVisible()
    await page.goto(`${origin}/projects/${project.name}/instances/wheel/storage`)
    await expect(where).not.toHaveText(serial)
    await page.goto(`${origin}/system/inventory/sleds`)
    await row(page, serial).getByRole('link', { name: serial }).click()
    await page.getByRole('tab', { name: 'Maintenance' }).click()
    await card.getByRole('button', { name: 'End maintenance' }).click()
    await confirm(page, 'End maintenance')
    await expect(page.getByText('The sled is not in maintenance')).toBeVisible()

    // The report of the month, with costs.
    await page.goto(`${origin}/system/usage`)
    await page.getByRole('button', { name: 'New prices' }).click()
    const prices = dialog(page, 'New prices')
    await prices.getByRole('textbox', { name: 'Valid from' }).fill('2020-01-01')
    await prices.getByRole('textbox', { name: 'Currency' }).fill('eur')
    await prices.getByRole('textbox', { name: 'vCPU' }).fill('0.05')
    await prices.getByRole('button', { name: 'Add prices' }).click()
    await expect(page.getByText(/^Total cost €/)).toBeVisible()
    await page.getByRole('button', { name: 'Usage actions' }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Export report as CSV' }).click()
    const report = await readFile(await (await saved).path(), 'utf8')
    expect(report).toMatch(/main/)
    expect(report).toMatch(/EUR/)

    // Who changed the policy, and why, is still known.
    await page.goto(`${origin}/system/silos/main/idps`)
    await page.getByRole('button', { name: 'Versions' }).click()
    const versions = dialog(page, 'Versions of the sign-in policy').getByRole('list', {
      name: 'Versions',
    })
    await expect(versions.getByText('Audit of November')).toBeVisible()
  } finally {
    await visitor.close()
    await idp.close()
  }
})
