import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page, Request } from '@playwright/test'
import { commonPassword } from '@steading/api/rules'
import { expectAccessible } from '../support/accessibility.ts'
import { takePictures } from '../support/pictures.ts'
import { ADMIN_PASSWORD, clientOf, signIn } from '../support/host.ts'
import { ok } from '../support/seed.ts'
import { expect, test } from '../support/test.ts'
import { dialog, expectFieldError, heading, toasts } from '../support/ui.ts'

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

  test('a wrong password is refused in place @long', async ({ page, consoleErrors }) => {
    consoleErrors.expect(/401|API error/)
    await page.goto('/login')
    await expect(heading(page, 'main')).toBeVisible()
    await fillIn(page, 'wrong')
    await expect(page.getByText('Could not sign in. Please try again.')).toBeVisible()
    await expect(page).toHaveURL('/login/main/local')
    await fillIn(page)
    await expect(heading(page, 'Projects')).toBeVisible()
  })

  test('both fields are required @long', async ({ page }) => {
    await page.goto('/login/main/local')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByText('Username is required')).toBeVisible()
    await expect(page.getByText('Password is required')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Username' })).toBeFocused()
  })
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

test('reads in progress are aborted when the user signs out @long', async ({ page }) => {
  await page.goto('/projects')
  await expect(page.getByRole('heading', { name: 'No projects' })).toBeVisible()
  // Never answered.
  await page.route(/\/x\/v1\/projects\?/, () => {})
  const isRead = (request: Request) => request.url().includes('/x/v1/projects?')
  const begun = page.waitForEvent('request', isRead)
  const givenUp = page.waitForEvent('requestfailed', isRead)
  await page.route('**/v1/logout', async (route) => {
    await givenUp
    await route.continue()
  })
  await page.getByRole('button', { name: 'Refresh data' }).click()
  await begun
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/login/main/local')
})

test.describe('the own password', () => {
  test('is changed on the profile page, which signs out everywhere else @long', async ({
    page,
    host,
    consoleErrors,
  }) => {
    consoleErrors.expect(/400|401|API error/)
    const elsewhere = clientOf(host.url, await signIn(host.url))
    await page.goto('/settings/profile')
    await page.getByRole('button', { name: 'Change password' }).click()
    const form = dialog(page, 'Change password')
    const current = form.getByLabel('Current password', { exact: true })
    const next = form.getByLabel('New password', { exact: true })
    const change = form.getByRole('button', { name: 'Change password' })
    await change.click()
    await expectFieldError(current, 'Current password is required')
    await expectFieldError(next, 'New password is required')
    await current.fill('wrong')
    await next.fill('x'.repeat(513))
    await change.click()
    await expectFieldError(next, 'Must be 256 characters or fewer')
    // The rules are checked while typing.
    await next.fill('a')
    await expectFieldError(next, 'Must be at least 8 characters')
    await next.fill('a new password')
    await expectAccessible(page)
    await change.click()
    await expectFieldError(current, 'This is not your present password')
    await current.fill(ADMIN_PASSWORD)
    await next.fill('Password123')
    await change.click()
    await expectFieldError(next, commonPassword)
    await next.fill('a new password')
    await change.click()
    await expect(toasts(page)).toContainText('Password changed')
    expect((await elsewhere.currentUserView()).status).toBe(401)
    await signIn(host.url, 'admin', 'a new password')
  })

  test('must be changed if it violates the rules of new passwords @long', async ({
    page,
    host,
  }) => {
    const { db } = host.server.controlPlane.database
    await db.updateTable('silo_user').set({ password_weak: 1 }).execute()
    await page.goto('/projects')
    const notice = page.getByRole('status').filter({ hasText: 'it is easily guessed' })
    await expect(notice).toBeVisible()
    await takePictures(page, 'a weak password')
    await notice.getByRole('link', { name: 'Change your password' }).click()
    await expect(dialog(page, 'Change password')).toBeVisible()
    await expectAccessible(page)
    await takePictures(page, 'rules of a new password')
  })

  test('must be changed while it is the generated one, until the user has read it @long', async ({
    page,
    host,
  }) => {
    const { db } = host.server.controlPlane.database
    await db.updateTable('silo_user').set({ password_generated: 1 }).execute()
    await page.goto('/projects')
    const notice = page.getByRole('status').filter({ hasText: 'the generated one is in' })
    await notice.getByRole('link', { name: 'Change your password' }).click()
    await expect(dialog(page, 'Change password')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await notice.getByRole('button', { name: 'Dismiss' }).click()
    await expect(notice).toBeHidden()
    // The list of what to do next leads to the form as well, also after the notice was dismissed.
    await page.goto('/projects')
    await page
      .getByRole('region', { name: 'What to do next' })
      .getByRole('link', { name: 'Change password' })
      .click()
    await expect(dialog(page, 'Change password')).toBeVisible()
    await expect(notice).toBeHidden()
  })
})

test('a user whose session an administrator ends learns that, and signs in again', async ({
  page,
  api,
  consoleErrors,
}) => {
  consoleErrors.expect(/401|API error/)
  await page.goto('/projects')
  // A page that is still loading would redirect to the login page.
  await expect(heading(page, 'Projects')).toBeVisible()
  const { id: userId } = await ok(api.currentUserView())
  await ok(api.userLogout({ path: { userId } }))
  await page.goto('/settings/profile')
  await expect(page.getByText('You were signed out')).toBeVisible()
  await expect(page.getByText('You ended this session from another one.')).toBeVisible()
  await expectAccessible(page)
  await fillIn(page)
  await expect(heading(page, 'Profile')).toBeVisible()
})

test.describe('behind a proxy that changes the host', () => {
  test.use({ signedIn: false })

  test('the sign-in form names both hosts @long', async ({ page, host, consoleErrors }) => {
    consoleErrors.expect(/status of 403|API (error|answered)|Opener-Policy/)
    const { hostname, port } = new URL(host.url)
    const proxy = createServer((asked, answer) => {
      const headers = { ...asked.headers, host: `${hostname}:${port}` }
      const { method, url: path } = asked
      const forwarded = request({ hostname, port, method, path, headers }, (given) => {
        answer.writeHead(given.statusCode!, given.headers)
        given.pipe(answer)
      })
      asked.pipe(forwarded)
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    try {
      const { port: own } = proxy.address() as AddressInfo
      await page.goto(`http://cloud.test:${own}/login/main/local`)
      await page.getByLabel('Username').fill('admin')
      await page.getByLabel('Password').fill(ADMIN_PASSWORD)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await expect(
        page.getByText(
          `This console is asked for as ${hostname}:${port}, but your browser is at cloud.test:${own}`,
        ),
      ).toBeVisible()
    } finally {
      await page.goto('about:blank')
      proxy.closeAllConnections()
      proxy.close()
    }
  })
})
