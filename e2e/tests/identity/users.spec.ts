import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { ApiClient, SiloRole } from '@steading/api/client'
import { liveSign } from '../../support/faults.ts'
import { expectAccessible } from '../../support/accessibility.ts'
import { showAsCode } from '../../support/as-code.ts'
import {
  ENTITY_ID,
  metadataOf,
} from '../../../packages/control-plane/test/support/saml/provider.ts'
import { clientOf, signIn } from '../../support/host.ts'
import { databaseOf } from '../../support/many.ts'
import { takePictures } from '../../support/pictures.ts'
import { corp } from '../../support/saml.ts'
import { ok } from '../../support/seed.ts'
import { expect, openAs, test } from '../../support/test.ts'
import {
  choose,
  confirm,
  dialog,
  expectDisabled,
  expectFieldError,
  heading,
  openRowActions,
  pressUnder,
  row,
  rowAction,
  toasts,
} from '../../support/ui.ts'

/** Assigns a role on the silo to a group. */
async function give(api: ApiClient, identityId: string, roleName: SiloRole): Promise<void> {
  const { roleAssignments } = await ok(api.policyView())
  const assignment = { identityId, identityType: 'silo_group' as const, roleName }
  await ok(api.policyUpdate({ body: { roleAssignments: [...roleAssignments, assignment] } }))
}

const query = { silo: 'main' }
const PASSWORD = 'a good long password'

const userBody = (externalId: string) => ({
  query,
  body: { externalId, password: { mode: 'password', value: PASSWORD } as const },
})

test('a user is created, gets another password, and is deleted', async ({
  page,
  host,
  consoleErrors,
}) => {
  consoleErrors.expect(/400|401|API error/)
  await page.goto('/projects')
  await page.getByRole('button', { name: 'Access', exact: true }).click()
  await page.getByRole('link', { name: 'Users & Groups' }).click()
  await expect(heading(page, 'Users & Groups')).toBeVisible()
  await page.getByRole('button', { name: 'Create user' }).click()

  const form = dialog(page, 'Create user')
  const create = form.getByRole('button', { name: 'Create user' })
  const name = form.getByRole('textbox', { name: 'Name' })
  const password = form
    .getByLabel('Password', { exact: true })
    .and(form.locator('input:not([type=radio])'))
  await create.click()
  await expectFieldError(name, 'Name is required')
  await expectFieldError(password, 'Password is required')
  await name.fill('9lives')
  await expect(password).toHaveAccessibleDescription(/^At least 8 characters/)
  await password.fill('é'.repeat(257))
  await create.click()
  await expectFieldError(name, 'Must start with a lower-case letter')
  await expectFieldError(password, 'Must be 256 characters or fewer')

  await name.fill('admin')
  await form.getByRole('button', { name: 'Generate a password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await expect(password).toHaveValue(/^[a-zA-Z0-9]{20}$/)
  const generated = await password.inputValue()
  await create.click()
  await expectFieldError(name, 'Name already exists')
  await name.fill('ann')
  await form.getByRole('button', { name: 'Hide password' }).click()
  await expect(password).toHaveAttribute('type', 'password')
  // The shown code does not contain the password.
  const code = await showAsCode(form, 'curl')
  await expect(code).toContainText('<password>')
  await expect(code).not.toContainText(generated)
  await form.getByRole('button', { name: 'Show as code' }).click()
  await create.click()
  await expect(toasts(page)).toContainText('User ann created')
  await expect(row(page, 'ann')).toBeVisible()
  const session = await signIn(host.url, 'ann', generated)

  await rowAction(page, 'ann', 'Set password')
  const setting = dialog(page, 'Set password')
  await setting.getByRole('radio', { name: /^No login/ }).check()
  await setting.getByRole('button', { name: 'Set password' }).click()
  await expect(toasts(page)).toContainText('Password of ann set')
  await expect(row(page, 'ann')).toContainText('No sign-in')
  expect((await clientOf(host.url, session).currentUserView()).status).toBe(401)

  await rowAction(page, 'ann', 'Delete')
  await expect(dialog(page, 'Delete user')).toContainText('SSH keys')
  await confirm(page, 'Delete user')
  await expect(row(page, 'ann')).toBeHidden()
})

test('the page of a user shows groups, sessions, tokens and keys, and ends sessions @long', async ({
  page,
  host,
  api,
}) => {
  const { id } = await ok(api.localIdpUserCreate(userBody('ben')))
  const ben = clientOf(host.url, await signIn(host.url, 'ben', PASSWORD))
  await ok(
    ben.currentUserSshKeyCreate({
      body: { name: 'laptop', description: '', publicKey: 'ssh-ed25519 AAAA' },
    }),
  )
  const group = await ok(api.groupCreate({ body: { displayName: 'Night shift' } }))
  await ok(api.groupMembersUpdate({ path: { groupId: group.id }, body: { add: [id], remove: [] } }))
  await give(api, group.id, 'viewer')
  await page.goto('/access')
  await rowAction(page, 'Night shift', 'View group')
  await expect(heading(page, 'Night shift')).toBeVisible()
  const breadcrumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
  await expect(breadcrumbs).toContainText('Night shift')
  await page.getByRole('link', { name: 'ben' }).click()
  await expect(heading(page, 'ben')).toBeVisible()
  await expect(breadcrumbs).toContainText('ben')
  const part = (name: string) => page.getByRole('region', { name })
  const roles = part('Roles')
  await expect(roles.getByRole('list', { name: 'Roles' })).toContainText(
    'silo.viewer through group Night shift',
  )
  await expect(roles.getByRole('link', { name: 'On silo main' })).toHaveAttribute('href', '/access')
  await expect(part('Groups').getByRole('link', { name: 'Night shift' })).toBeVisible()
  await expect(part('Sessions').getByRole('row')).toHaveCount(2)
  await expect(part('Access tokens')).toContainText('No access tokens')
  await expect(part('SSH keys')).toContainText('laptop')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'User actions' }).click()
  await page.getByRole('menuitem', { name: 'End all sessions' }).click()
  await confirm(page, 'End all sessions')
  await expect(part('Sessions')).toContainText('Not signed in anywhere')
  expect((await ben.currentUserView()).status).toBe(401)

  // The dialog shows in advance who loses which role.
  await page.getByRole('button', { name: 'User actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const lost = 'ben loses the viewer role on silo main.'
  const deletion = dialog(page, 'Delete user')
  await expect(deletion.getByRole('list', { name: 'Users losing access' })).toContainText(lost)
  await deletion.getByRole('button', { name: 'Cancel' }).click()
  await part('Groups').getByRole('link', { name: 'Night shift' }).click()
  await expect(page.getByRole('main')).toContainText('Local')
  await page.getByRole('button', { name: 'Group actions' }).click()
  await page.getByRole('menuitem', { name: 'History' }).click()
  const history = dialog(page, 'History')
  await expect(history.getByRole('listitem')).toHaveCount(2)
  await expect(history).toContainText('Created group')
  await expect(history).toContainText('admin')
  await history.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByRole('button', { name: 'Group actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(dialog(page, 'Delete group')).toContainText(lost)
  await confirm(page, 'Delete group')
  await expect(page.getByText('No groups')).toBeVisible()
})

test('users and groups of an identity provider are read-only, and marked @long', async ({
  page,
  host,
  api,
}) => {
  const { id } = await ok(api.localIdpUserCreate(userBody('ben')))
  const group = await ok(api.groupCreate({ body: { displayName: 'Night shift' } }))
  const db = databaseOf(host)
  await db.updateTable('silo').set({ identity_mode: 'saml_scim' }).execute()
  await db.updateTable('silo_user').set({ user_name_key: 'ben' }).where('id', '=', id).execute()
  await db
    .updateTable('silo_group')
    .set({ display_name_key: 'night shift' })
    .where('id', '=', group.id)
    .execute()
  await page.goto('/users')
  await expect(row(page, 'admin').getByText('SAML')).toBeVisible()
  await expect(row(page, 'ben').getByText('SCIM')).toBeVisible()
  const menu = await openRowActions(page, 'ben')
  for (const name of ['Set password', 'Delete']) {
    await expectDisabled(
      menu.getByRole('menuitem', { name }),
      'The identity provider keeps the user over SCIM: change it there',
    )
  }
  await page.goto(`/groups/${group.id}`)
  await expectDisabled(
    page.getByRole('button', { name: 'Add member' }),
    'The identity provider keeps the group over SCIM: change it there',
  )
  await expect(page.getByText('SCIM', { exact: true })).toBeVisible()
})

test('a group is created, filled and emptied, with live members @long', async ({
  page,
  host,
  api,
  consoleErrors,
}) => {
  consoleErrors.expect(/400|403|404|API error/)
  await ok(api.localIdpUserCreate(userBody('cleo')))
  // Preceded by more than one page of users.
  const db = databaseOf(host)
  const own = await db.selectFrom('silo_user').selectAll().executeTakeFirstOrThrow()
  const crowd = Array.from({ length: 60 }, (_, each) => `a-${each}`).map((name) => ({
    ...own,
    id: crypto.randomUUID(),
    external_id: name,
    display_name: name,
  }))
  await db.insertInto('silo_user').values(crowd).execute()
  await page.goto('/groups')
  await page.getByRole('button', { name: 'Create group' }).click()
  const form = dialog(page, 'Create group')
  const create = form.getByRole('button', { name: 'Create group' })
  const name = form.getByRole('textbox', { name: 'Name' })
  await create.click()
  await expectFieldError(name, 'Name is required')
  await name.fill('x'.repeat(256))
  await create.click()
  await expectFieldError(name, 'The name of a group may have at most 255 characters')
  await name.fill('Readers')
  await create.click()
  await expect(heading(page, 'Readers')).toBeVisible()
  await expect(page.getByText('No members')).toBeVisible()

  const groupId = new URL(page.url()).pathname.split('/').at(-1)!
  await give(api, groupId, 'viewer')
  await page.getByRole('button', { name: 'Add member' }).click()
  const adding = dialog(page, 'Add a member to Readers')
  await choose(adding.getByRole('combobox', { name: 'User' }), 'cleo')
  await adding.getByRole('button', { name: 'Add member' }).click()
  await expect(row(page, 'cleo')).toBeVisible()
  const cleo = await openAs(page, host.url, await signIn(host.url, 'cleo', PASSWORD))
  await cleo.goto('/projects')
  await expect(cleo.getByText('No projects')).toBeVisible()

  await rowAction(page, 'cleo', 'Remove from group')
  await expect(dialog(page, 'Remove from group')).toContainText(
    'cleo loses the viewer role on silo main.',
  )
  await confirm(page, 'Remove from group')
  await expect(page.getByText('No members')).toBeVisible()
  await cleo.getByRole('button', { name: 'Refresh data' }).click()
  await expect(cleo.getByRole('main')).toContainText('Action not authorized')
})

test('a deleted user loses the open page, with the reason @long', async ({
  page,
  host,
  api,
  consoleErrors,
}) => {
  consoleErrors.expect(/401|403|API error/)
  const { id } = await ok(api.localIdpUserCreate(userBody('dora')))
  const dora: Page = await openAs(page, host.url, await signIn(host.url, 'dora', PASSWORD))
  await dora.goto('/settings/profile')
  await expect(heading(dora, 'Profile')).toBeVisible()
  // A page that is still loading would redirect to the login page.
  await expect(liveSign(dora)).toBeVisible()
  await ok(api.localIdpUserDelete({ path: { userId: id }, query }))
  // A read of the page may have opened the dialog already.
  await pressUnder(dora, 'button', 'Sign in again')
  await expect(dialog(dora, 'Sign in again')).toContainText('This user was deleted or deactivated')
})

test('operators manage the users of a silo @long', async ({ page, api }) => {
  await ok(
    api.siloCreate({
      body: {
        name: 'guild',
        description: '',
        identityMode: 'local_only',
        discoverable: true,
        quotas: { cpus: 1, memory: 1024 ** 3, storage: 1024 ** 3 },
        tlsCertificates: [],
        mappedFleetRoles: {},
      },
    }),
  )
  await page.goto('/system/silos/guild/users')
  await expect(page.getByText('Create a user to see it here')).toBeVisible()
  await page.getByRole('button', { name: 'Create user' }).click()
  const form = dialog(page, 'Create user')
  await form.getByRole('textbox', { name: 'Name' }).fill('first')
  await form.getByRole('radio', { name: /^No login/ }).check()
  await form.getByRole('button', { name: 'Role on the silo' }).click()
  await page.getByRole('option', { name: /^Collaborator/ }).click()
  await form.getByRole('button', { name: 'Create user' }).click()
  await expect(row(page, 'first')).toContainText('No sign-in')
  const [user] = (await ok(api.siloUserList({ query: { silo: 'guild' } }))).items
  await expect
    .poll(async () => (await ok(api.siloPolicyView({ path: { silo: 'guild' } }))).roleAssignments)
    .toContainEqual({ identityId: user!.id, identityType: 'silo_user', roleName: 'collaborator' })
  await expectAccessible(page)
  await rowAction(page, 'first', 'Delete')
  await confirm(page, 'Delete user')
  await expect(page.getByText('Create a user to see it here')).toBeVisible()
})

test('the own user cannot be deleted by mistake @long', async ({ page }) => {
  await page.goto('/users')
  await row(page, 'admin').getByRole('button', { name: 'Row actions' }).click()
  await expectDisabled(
    page.getByRole('menuitem', { name: 'Delete' }),
    'You are signed in as this user',
  )
})

test('an administrator links a user to a provider, and lets a provider take over users without one @long', async ({
  page,
  host,
  api,
}) => {
  await ok(api.siloCreate({ body: corp }))
  for (const name of ['head-office', 'branch']) {
    await ok(
      api.samlIdentityProviderCreate({
        query: { silo: 'corp' },
        body: {
          name,
          description: '',
          idpMetadataSource: {
            type: 'base64_encoded_xml',
            data: Buffer.from(metadataOf()).toString('base64'),
          },
          idpEntityId: ENTITY_ID,
          spClientId: 'https://cloud.example/sp',
          acsUrl: `${host.url}/login/corp/saml/${name}`,
          sloUrl: 'https://cloud.example/logout',
          technicalContactEmail: 'ops@example.com',
        },
      }),
    )
  }
  // Without a provider, as after an upgrade that could not know it.
  const { db } = host.server.controlPlane.database
  const { id: siloId } = await ok(api.siloView({ path: { silo: 'corp' } }))
  const admin = await db.selectFrom('silo_user').selectAll().executeTakeFirstOrThrow()
  const names = { external_id: 'ada', display_name: 'ada', password_hash: null }
  const user = { ...admin, ...names, id: randomUUID(), silo_id: siloId }
  await db.insertInto('silo_user').values(user).execute()

  await page.goto('/system/silos/corp/users')
  await rowAction(page, 'ada', 'Identity providers…')
  const panel = dialog(page, 'Identity providers')
  await expect(panel.getByText('The user has no identity provider')).toBeVisible()
  await panel.getByRole('button', { name: 'Link a provider' }).click()
  const form = dialog(page, 'Link a provider')
  await form.getByRole('button', { name: /Identity provider/ }).click()
  await page.getByRole('option', { name: 'branch (SAML)' }).click()
  const name = form.getByRole('textbox', { name: 'Name at the provider' })
  await expect(name).toHaveValue('ada')
  await expectAccessible(page)
  await takePictures(page, 'link a provider')
  await name.fill('ada@branch')
  await form.getByRole('button', { name: 'Link provider' }).click()
  const linked = panel.getByRole('region', { name: 'branch' })
  await expect(linked.getByText('ada@branch')).toBeVisible()
  await expectAccessible(page)
  await takePictures(page, 'identity providers of a user')
  await linked.getByRole('button', { name: 'Unlink' }).click()
  await confirm(page, 'Unlink provider')
  await expect(panel.getByText('The user has no identity provider')).toBeVisible()

  await page.goto('/system/silos/corp/idps/saml/head-office')
  await page.getByRole('button', { name: 'Take over users without a provider' }).click()
  await expect(dialog(page, 'Take over users')).toBeVisible()
  await expectAccessible(page)
  await takePictures(page, 'take over users')
  await confirm(page, 'Take over users')
  await expect(toasts(page)).toContainText('1 user linked')
})
