import type { Browser, Page } from '@playwright/test'
import { createClient } from '@steading/api/client'
import { waitingDevice } from '../support/devices.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { hostWithProvider, signInAs } from '../support/saml.ts'
import { seedWith } from '../support/seed.ts'
import { expect, test } from '../support/test.ts'
import {
  choose,
  closeByEscape,
  confirm,
  dialog,
  expectDisabled,
  heading,
  openRowActions,
  row,
  rowAction,
} from '../support/ui.ts'

const NEEDS = 'Needs project limited collaborator; you are viewer'

test.use({ hostConfig: hostWithProvider })

let idp: IdentityProvider | undefined
test.afterEach(() => idp?.close())

/** A new browser without a session. */
const newBrowser = async (browser: Browser | null, baseURL: string): Promise<Page> =>
  (await browser!.newContext({ baseURL, storageState: { cookies: [], origins: [] } })).newPage()

/** Follows the way to the silo, and signs in there. */
async function arrive(page: Page, name: string): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: 'Sign in to another silo' }).click()
  await page.getByRole('textbox', { name: 'Silo' }).fill('brewery')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(heading(page, 'brewery')).toBeVisible()
  await signInAs(page, name)
  await expect(heading(page, 'Projects')).toBeVisible()
  await expect(page.getByRole('button', { name: 'User menu' })).toHaveText(name)
}

test('a silo on its first day @long', async ({ page: operator, host, consoleErrors }) => {
  // As many steps as ten other tests.
  test.slow()
  consoleErrors.expect(/status of 40[34]|API error|ApiError|GoneError/)
  const acs = `${host.url}/login/brewery/saml/idp`
  idp = await startIdentityProvider(acs)
  const browser = operator.context().browser()
  const admin = await newBrowser(browser, host.url)
  const taster = await newBrowser(browser, host.url)

  await test.step('an operator makes the silo, with quotas and its provider', async () => {
    await operator.goto('/system/silos-new')
    const form = dialog(operator, 'Create silo')
    const quota = (name: RegExp) => form.getByRole('spinbutton', { name })
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('brewery')
    await quota(/^CPU quota/).fill('16')
    await quota(/^Memory quota/).fill('64')
    await quota(/^Storage quota/).fill('1024')
    await form.getByRole('textbox', { name: 'Admin group name' }).fill('admins')
    await form.getByRole('button', { name: 'Create silo' }).click()
    await operator.getByRole('link', { name: 'brewery' }).click()
    await operator.getByRole('link', { name: 'New provider' }).click()
    const provider = dialog(operator, 'Create identity provider')
    const fill = (name: string, value: string) =>
      provider.getByRole('textbox', { name, exact: true }).fill(value)
    await fill('Name', 'idp')
    await fill('Technical contact email', 'ops@brewery.example')
    await fill('Service provider client ID', 'urn:example:steading')
    await provider.getByRole('checkbox', { name: 'Use standard ACS URL' }).uncheck()
    await fill('ACS URL', acs)
    await fill('Single Logout (SLO) URL', `${host.url}/logout`)
    await fill('Entity ID', idp!.entityId)
    await fill('Group attribute name', 'groups')
    await fill('Metadata source URL', idp!.metadataUrl)
    await provider.getByRole('button', { name: 'Create provider' }).click()
    await expect(row(operator, 'idp')).toBeVisible()
  })

  await test.step('its first admin comes through the provider, and makes a project', async () => {
    await arrive(admin, 'ada')
    await admin.getByRole('link', { name: 'New project' }).first().click()
    await admin.getByRole('textbox', { name: 'Name', exact: true }).fill('lager')
    await admin.getByRole('button', { name: 'Create project' }).click()
    await expect(admin).toHaveURL('/projects/lager/instances')
  })

  await test.step('a user without a role is told so, until their group is invited', async () => {
    await arrive(taster, 'vera')
    await expect(taster.getByText('Neither you nor your groups have a role')).toBeVisible()
    await admin.getByRole('button', { name: 'Access', exact: true }).click()
    await admin.getByRole('link', { name: 'Project Access' }).click()
    await admin.getByRole('button', { name: 'Add user or group' }).click()
    const add = dialog(admin, 'Add user or group')
    await choose(add.getByRole('combobox', { name: 'User or group' }), 'tasters')
    await add.getByRole('radio', { name: /^Viewer/ }).check()
    await add.getByRole('button', { name: 'Assign role' }).click()
    await expect(row(admin, 'tasters')).toContainText('project.viewer')
    await taster.getByRole('link', { name: 'lager' }).click()
    await expectDisabled(taster.getByRole('button', { name: 'New Instance' }).first(), NEEDS)
  })

  const device = await waitingDevice(host)
  await test.step('a command line signs in', async () => {
    await admin.goto('/device/verify')
    await expect(admin.getByRole('textbox', { name: 'Character 1.', exact: true })).toBeFocused()
    await admin.keyboard.type(device.userCode.replace('-', ''))
    await admin.getByRole('button', { name: 'Log in on device' }).click()
    await expect(heading(admin, 'Device logged in')).toBeVisible()
  })

  await test.step('what it creates appears to all who are looking', async () => {
    await admin.goto('/projects/lager/instances')
    await expect(admin.getByRole('heading', { name: 'No instances' })).toBeVisible()
    const tool = createClient({ baseUrl: host.url, token: (await device.token())! })
    await seedWith(tool).instance('lager', 'kettle', { start: true })
    for (const page of [admin, taster]) {
      await expect(row(page, 'kettle').getByText('running')).toBeVisible()
    }
    const menu = await openRowActions(taster, 'kettle')
    for (const name of ['Stop', 'Delete']) {
      await expectDisabled(menu.getByRole('menuitem', { name, exact: true }), NEEDS)
    }
    await closeByEscape(taster)
    await rowAction(taster, 'kettle', 'Who can…')
    await expect(dialog(taster, 'Who can…')).toContainText('project.')
    await closeByEscape(taster)
  })

  await test.step('all of it is in the audit log', async () => {
    await admin.goto('/audit-log')
    const log = (page: Page) => page.getByRole('table', { name: 'Audit log' }).getByRole('row')
    const entries: [operation: string, target: string, user: string][] = [
      ['Created silo', 'silo brewery', 'An operator'],
      ['Created identity provider', 'identity provider idp', 'An operator'],
      ['Signed in through an identity provider', 'user ada', 'ada'],
      ['Created project', 'project lager', 'ada'],
      ['Signed in through an identity provider', 'user vera', 'vera'],
      ['Gave tasters the role viewer on', 'project lager', 'ada'],
      ['Signed in on a device', 'access token', 'ada'],
      ['Created instance', 'instance kettle', 'ada'],
    ]
    for (const [operation, target, user] of entries) {
      const entry = log(admin).filter({ hasText: operation }).filter({ hasText: target })
      await expect(entry).toContainText(user)
      await expect(entry).toContainText('Succeeded')
    }
    await admin.getByRole('button', { name: /^Created instance/ }).click()
    await expect(dialog(admin, 'Audit log entry')).toContainText('Access token')
    await operator.goto('/system/audit-log')
    await expect(log(operator).filter({ hasText: 'silo brewery' })).toContainText('admin')
    await expect(log(operator).filter({ hasText: 'instance kettle' })).toContainText('ada')
  })

  await test.step('the group loses its role: who is told before, and what is seen after', async () => {
    await admin.goto('/projects/lager/access')
    await rowAction(admin, 'tasters', 'Delete')
    await expect(dialog(admin, 'Delete role assignment')).toContainText(
      'vera loses the viewer role on project lager.',
    )
    await confirm(admin, 'Delete role assignment')
    await expect(row(admin, 'tasters')).toBeHidden()
    await expect(taster.getByText('This project is no longer there')).toBeVisible()
    await taster.getByRole('link', { name: 'Go to Projects' }).click()
    await expect(taster.getByText('Neither you nor your groups have a role')).toBeVisible()
  })
})
