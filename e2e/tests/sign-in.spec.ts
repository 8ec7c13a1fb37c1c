import { ADMIN_PASSWORD } from '../support/host.ts'
import { expect, test } from '../support/test.ts'
import { heading, toasts } from '../support/ui.ts'
import type { Page } from '@playwright/test'

async function fillIn(page: Page, password = ADMIN_PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill('admin')
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test.describe('without a session', () => {
  test.use({ signedIn: false })

  test('any page leads to the login page and back', async ({ page, project }) => {
    await page.goto(`/projects/${project.name}/disks?x=1`)
    await expect(page).toHaveURL(
      `/login/main/local?redirect_uri=${encodeURIComponent(`/projects/${project.name}/disks?x=1`)}`,
    )
    await expect(page).toHaveTitle('Steading Console')
    await fillIn(page)
    await expect(page).toHaveURL(`/projects/${project.name}/disks?x=1`)
    await expect(heading(page, 'Disks')).toBeVisible()
    await expect(toasts(page)).toContainText('Logged in')
  })

  test('a wrong password is refused in place', async ({ page, consoleErrors }) => {
    consoleErrors.expect(/401|API error/)
    await page.goto('/login')
    await expect(heading(page, 'main')).toBeVisible()
    await fillIn(page, 'wrong')
    await expect(page.getByText('Could not sign in. Please try again.')).toBeVisible()
    await expect(page).toHaveURL('/login/main/local')
    await fillIn(page)
    await expect(heading(page, 'Projects')).toBeVisible()
  })

  test('both fields are required', async ({ page }) => {
    await page.goto('/login/main/local')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByText('Username is required')).toBeVisible()
    await expect(page.getByText('Password is required')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Username' })).toBeFocused()
  })

  const elsewhere = [
    'https://example.com/',
    '//example.com/',
    '/\\example.com',
    'javascript:alert(1)',
  ]
  for (const address of elsewhere) {
    test(`there is no login page that leads to ${address}`, async ({ request }) => {
      const query = new URLSearchParams({ redirect_uri: address })
      expect((await request.get(`/login/main/local?${query}`)).status()).toBe(400)
    })
  }
})

test('signing out ends the session', async ({ page, api, consoleErrors }) => {
  await page.goto('/settings/profile')
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/login/main/local')
  // Not only in this browser: the same session elsewhere is over too.
  expect((await api.currentUserView()).status).toBe(401)
  await page.goBack()
  await expect(page).toHaveURL(/\/login\/main\/local\?redirect_uri=%2Fsettings%2Fprofile/)
  consoleErrors.expect(/401/)
})
