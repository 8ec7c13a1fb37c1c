import {
  type MailServer,
  startMailServer,
} from '../../../packages/control-plane/test/support/mail-server.ts'
import { expectAccessible } from '../../support/accessibility.ts'
import { showAsCode } from '../../support/as-code.ts'
import { intercept } from '../../support/faults.ts'
import { takePictures } from '../../support/pictures.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import { closeByEscape, dialog, expectFieldError, heading, row, toasts } from '../../support/ui.ts'

const PASSWORD = 'a good long password'

let mail: MailServer
test.beforeAll(async () => {
  mail = await startMailServer()
})
test.afterAll(() => mail.close())

test('a colleague is invited from a project by a link, sets a password, and sees the project', async ({
  page,
  api,
  project,
  host,
  browser,
  consoleErrors,
}) => {
  consoleErrors.expect(/400|403|404|API error/)
  await ok(api.imagePolicyUpdate({ body: { membersUseSiloImages: false } }))
  await page.goto(`/projects/${project.name}/access`)
  // Nobody has the typed name, so the form offers to invite.
  await page.getByRole('button', { name: 'Add user or group' }).click()
  const who = dialog(page, 'Add user or group').getByRole('combobox', { name: 'User or group' })
  await who.fill('mo')
  await page.getByRole('option', { name: 'Invite “mo”' }).click()
  const form = dialog(page, 'Invite')
  const name = form.getByRole('textbox', { name: 'Name or mail address' })
  await expect(name).toHaveValue('mo')
  await expect(form.getByText(/^Without a role on the silo/)).toBeVisible()
  await expect(form.getByRole('radio', { name: /^Send a link by mail/ })).toBeDisabled()
  await form.getByRole('button', { name: /Role on project mill/ }).click()
  await page.getByRole('option', { name: /^Collaborator/ }).click()
  await expectAccessible(page)
  await takePictures(page, 'invite')
  const code = await showAsCode(form, 'curl')
  await expect(code).toContainText('/link')
  await form.getByRole('button', { name: 'Show as code' }).click()

  // A name that is taken is said at the field, and nothing that was typed is lost.
  await name.fill('admin')
  await form.getByRole('button', { name: 'Invite' }).click()
  await expectFieldError(name, 'Name already exists')
  await name.fill('mo')
  // A failure in the middle says what is done, and the next attempt goes on from there.
  const repair = await intercept(page, /\/v1\/projects\/mill\/policy$/, (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 403, json: { message: 'Forbidden', error_code: 'Forbidden' } })
      : route.fallback(),
  )
  await form.getByRole('button', { name: 'Invite' }).click()
  await expect(form.getByText('User mo exists now.')).toBeVisible()
  await expect(name).toBeDisabled()
  repair()
  await form.getByRole('button', { name: 'Invite' }).click()
  const made = dialog(page, 'Link created')
  const link = await made.getByText(`${host.url}/login/link#`).textContent()
  await expectAccessible(page)
  await takePictures(page, 'invite-link')
  await made.getByRole('button', { name: 'Done' }).click()
  await expect(row(page, 'mo')).toContainText('project.collaborator')

  await page.goto('/users')
  await expect(row(page, 'mo')).toContainText(/Invited until .*1 project/)
  await expectAccessible(page)
  await takePictures(page, 'invite-users')

  const visitor = await browser.newContext({ baseURL: host.url })
  const tab = await visitor.newPage()
  await tab.goto(link!)
  await expect(tab.getByText('Choose a password for user mo.')).toBeVisible()
  await expectAccessible(tab)
  await takePictures(tab, 'invite-password')
  const password = tab.getByRole('textbox', { name: 'Password' })
  await password.fill('mo')
  await tab.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(password).toHaveAccessibleDescription(/Must be at least 8 characters/)
  await password.fill(PASSWORD)
  await tab.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(heading(tab, 'Projects')).toBeVisible()
  await expect(tab.getByRole('link', { name: project.name, exact: true }).first()).toBeVisible()

  // The link has had its effect.
  await tab.goto('/login/choose')
  await tab.goto(link!)
  await expect(tab.getByRole('heading', { name: 'Link not valid' })).toBeVisible()
  await expectAccessible(tab)
  await takePictures(tab, 'invite-not-valid')
  await visitor.close()
  await expect(row(page, 'mo')).toContainText('Active')
})

test('an invitation by mail confirms the address, to which a forgotten password is sent', async ({
  page,
  host: first,
  session,
  context,
  browser,
}) => {
  const host = await first.restarted({
    smtpUrl: mail.url,
    mailFrom: 'Cloud <cloud@example.com>',
  })
  const linkTo = async (number: number) => {
    await expect.poll(() => mail.mails.length).toBe(number)
    // The host only learns its port from the system.
    const [path] = /\/login\/link#\S+/.exec(mail.mails[number - 1]!.text ?? '')!
    return path
  }
  try {
    await context.addCookies([{ name: 'session', value: session, url: host.url }])
    await page.goto(`${host.url}/users`)
    await page.getByRole('button', { name: 'Invite' }).click()
    const form = dialog(page, 'Invite')
    await form.getByRole('textbox', { name: 'Name or mail address' }).fill('Ann.Smith@example.com')
    await expect(form.getByRole('radio', { name: 'Send a link by mail' })).toBeChecked()
    await expect(form.getByRole('textbox', { name: 'User name' })).toHaveValue('ann-smith')
    await form.getByRole('button', { name: /Role on silo main/ }).click()
    await page.getByRole('option', { name: /^Viewer/ }).click()
    await expectAccessible(page)
    await takePictures(page, 'invite-mail')
    await form.getByRole('button', { name: 'Invite' }).click()
    await expect(toasts(page)).toContainText('Ann.Smith@example.com')
    await expect(row(page, 'ann-smith')).toContainText('silo.viewer')

    const visitor = await browser.newContext({ baseURL: host.url })
    const tab = await visitor.newPage()
    await tab.goto(await linkTo(1))
    await tab.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await tab.getByRole('button', { name: 'Set password and sign in' }).click()
    await expect(heading(tab, 'Projects')).toBeVisible()
    await tab.goto('/settings/profile')
    await expect(tab.getByText('Ann.Smith@example.com')).toBeVisible()
    await expect(tab.getByText('Not confirmed')).toBeHidden()
    await takePictures(tab, 'invite-profile')

    await visitor.clearCookies()
    await tab.goto('/login/main/local')
    await tab.getByRole('button', { name: 'Forgot your password?' }).click()
    const forgotten = dialog(tab, 'Forgot your password?')
    await forgotten.getByRole('textbox', { name: 'Username' }).fill('ann-smith')
    await expectAccessible(tab)
    await takePictures(tab, 'invite-forgotten')
    await forgotten.getByRole('button', { name: 'Send a link' }).click()
    await expect(dialog(tab, 'Check your mail')).toBeVisible()
    await closeByEscape(tab)
    await tab.goto(await linkTo(2))
    await expect(tab.getByText('Set a new password for user ann-smith.')).toBeVisible()
    await tab.getByRole('textbox', { name: 'Password' }).fill(`${PASSWORD} again`)
    await tab.getByRole('button', { name: 'Set password and sign in' }).click()
    await expect(heading(tab, 'Projects')).toBeVisible()
    await visitor.close()
  } finally {
    await page.close()
    await host.close()
  }
})
