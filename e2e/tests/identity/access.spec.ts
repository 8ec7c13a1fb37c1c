import { randomUUID } from 'node:crypto'
import type { ApiClient, SiloRole } from '@steading/api/client'
import { expectAccessible } from '../../support/accessibility.ts'
import { intercept } from '../../support/faults.ts'
import { addUser, clientOf, type Host } from '../../support/host.ts'
import { GiB, ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import {
  choose,
  confirm,
  dialog,
  expectDisabled,
  expectFieldError,
  heading,
  openRowActions,
  row,
  rowAction,
  toasts,
} from '../../support/ui.ts'

/** A group of the first silo, as an identity provider would create it. */
async function addGroup({ server }: Host, name: string, members: string[]): Promise<string> {
  const { db } = server.controlPlane.database
  const { silo_id } = await db.selectFrom('silo_user').select('silo_id').executeTakeFirstOrThrow()
  const id = randomUUID()
  const now = new Date().toISOString()
  const group = { id, silo_id, display_name: name, time_created: now, time_modified: now }
  await db
    .insertInto('silo_group')
    .values({ ...group, time_deleted: null } as never)
    .execute()
  for (const user_id of members) {
    await db.insertInto('silo_group_membership').values({ group_id: id, user_id }).execute()
  }
  return id
}

async function person(host: Host, name: string) {
  const session = await addUser(host, name)
  const api = clientOf(host.url, session)
  return { session, api, id: (await ok(api.currentUserView())).id }
}

const given = (identityId: string, roleName: SiloRole, type: 'user' | 'group' = 'user') => ({
  identityId,
  identityType: `silo_${type}` as const,
  roleName,
})

async function give(api: ApiClient, ...more: ReturnType<typeof given>[]): Promise<void> {
  const { roleAssignments } = await ok(api.policyView())
  await ok(api.policyUpdate({ body: { roleAssignments: [...roleAssignments, ...more] } }))
}

test('roles on the silo are added, changed and removed', async ({ page, host, api }) => {
  const ana = await person(host, 'ana')
  await addGroup(host, 'weavers', [ana.id])
  await page.goto('/access')
  await expect(heading(page, 'Silo Access')).toBeVisible()
  await expect(row(page, 'admin').getByText('silo.admin')).toBeVisible()
  await page.getByRole('button', { name: 'Add user or group' }).click()
  const add = dialog(page, 'Add user or group')
  await add.getByRole('button', { name: 'Assign role' }).click()
  const who = add.getByRole('combobox', { name: 'User or group' })
  await expectFieldError(who, 'User or group is required')
  await choose(who, 'weavers')
  await expect(add.getByRole('radio', { name: /^Viewer/ })).toBeChecked()
  await expectAccessible(page)
  await add.getByRole('radio', { name: /^Collaborator/ }).check()
  await add.getByRole('button', { name: 'Assign role' }).click()
  await expect(add).toBeHidden()
  // Groups come before users, and link to their members.
  await expect(row(page, 'weavers').getByRole('link', { name: 'weavers' })).toHaveAttribute(
    'href',
    /^\/groups\//,
  )
  await expect(page.getByRole('row').nth(1)).toContainText('weavers')
  await expect(row(page, 'weavers').getByText('silo.collaborator')).toBeVisible()

  await rowAction(page, 'weavers', 'Change role')
  const edit = dialog(page, 'Edit role')
  await expect(edit.getByRole('radio', { name: /^Collaborator/ })).toBeChecked()
  await edit.getByRole('radio', { name: /^Viewer/ }).check()
  await expect(edit.getByRole('list', { name: 'Users losing access' })).toContainText(
    'ana loses the collaborator role on silo main and keeps the viewer role.',
  )
  await edit.getByRole('button', { name: 'Update role' }).click()
  await expect(row(page, 'weavers').getByText('silo.viewer')).toBeVisible()

  await rowAction(page, 'weavers', 'Delete')
  const question = dialog(page, 'Delete role assignment')
  await expect(question).toContainText(
    'Are you sure you want to delete the viewer role for weavers?',
  )
  await expect(question).toContainText('ana loses the viewer role on silo main.')
  await confirm(page, 'Delete role assignment')
  await expect(toasts(page)).toContainText('Access removed')
  await expect(row(page, 'weavers')).toBeHidden()
  expect((await ok(api.policyView())).roleAssignments).toHaveLength(1)
})

test('admins are warned before they lock themselves out @long', async ({ page, api }) => {
  await page.goto('/access')
  await rowAction(page, 'admin', 'Change role')
  const edit = dialog(page, 'Edit role')
  await edit.getByRole('radio', { name: /^Viewer/ }).check()
  await expect(edit).toContainText(
    'No admin is left on silo main. Only an operator can appoint one.',
  )
  await edit.getByRole('button', { name: 'Update role' }).click()
  const own = dialog(page, 'Remove your own admin role')
  await expect(own).toContainText(
    'No admin is left on silo main. Only an operator can appoint one.',
  )
  await own.getByRole('button', { name: 'Cancel' }).click()
  await expect(own).toBeHidden()
  await edit.getByRole('button', { name: 'Cancel' }).click()
  await expect(edit).toBeHidden()
  await rowAction(page, 'admin', 'Delete')
  await expect(dialog(page, 'Delete role assignment')).toContainText(
    'This will remove your own silo access.',
  )
  await expect(dialog(page, 'Delete role assignment')).toContainText(
    'No admin is left on silo main.',
  )
  await dialog(page, 'Delete role assignment').getByRole('button', { name: 'Cancel' }).click()
  expect((await ok(api.policyView())).roleAssignments).toHaveLength(1)
})

test("two admins do not undo each other's changes @long", async ({
  page,
  api,
  host,
  consoleErrors,
}) => {
  consoleErrors.expect(/412|API error/)
  const ana = await person(host, 'ana')
  const ben = await person(host, 'ben')
  await page.goto('/access')
  await page.getByRole('button', { name: 'Add user or group' }).click()
  const add = dialog(page, 'Add user or group')
  await choose(add.getByRole('combobox', { name: 'User or group' }), 'ana')
  // Another admin's change arrives only after this one has been sent.
  const letThrough = await intercept(page, '**/v1/policy', async (route) => {
    if (route.request().method() === 'PUT') await give(api, given(ben.id, 'viewer'))
    await route.continue()
  })
  await add.getByRole('button', { name: 'Assign role' }).click()
  await expect(add.getByRole('alert')).toContainText('The resource was changed meanwhile')
  letThrough()
  const assign = add.getByRole('button', { name: 'Assign role' })
  await expect(async () => {
    if (await assign.isVisible()) await assign.click({ timeout: 1000 })
    await expect(add).toBeHidden({ timeout: 1000 })
  }).toPass()
  await expect(row(page, 'ana')).toBeVisible()
  await expect(row(page, 'ben')).toBeVisible()
  const { roleAssignments } = await ok(api.policyView())
  const ids = roleAssignments.map(({ identityId }) => identityId)
  expect(ids).toEqual(expect.arrayContaining([ana.id, ben.id]))
})

test('a project shows roles of both levels, and changes its own @long', async ({
  page,
  host,
  api,
  project,
}) => {
  const ana = await person(host, 'ana')
  const ben = await person(host, 'ben')
  await give(api, given(ana.id, 'admin'), given(ben.id, 'viewer'))
  const path = { project: project.name }
  const roleAssignments = [given(ana.id, 'viewer')]
  await ok(api.projectPolicyUpdate({ path, body: { roleAssignments } }))
  await page.goto(`/projects/${project.name}/access`)
  await expect(heading(page, 'Project Access')).toBeVisible()
  await expect(row(page, 'ana').getByRole('cell').nth(2)).toHaveText('silo.admin+1')
  await expect(row(page, 'ben').getByRole('cell').nth(2)).toHaveText('silo.viewer')
  const menu = await openRowActions(page, 'ben')
  await expectDisabled(
    menu.getByRole('menuitem', { name: 'Change role' }),
    "You don't have permission to change this user's role",
  )
  await page.keyboard.press('Escape')

  // A user with a role on the silo can have one here as well.
  await page.getByRole('button', { name: 'Add user or group' }).click()
  const add = dialog(page, 'Add user or group')
  await choose(add.getByRole('combobox', { name: 'User or group' }), 'ben')
  await add.getByRole('radio', { name: /^Admin/ }).check()
  await add.getByRole('button', { name: 'Assign role' }).click()
  await expect(toasts(page)).toContainText('Role assigned')
  await expect(row(page, 'ben').getByRole('cell').nth(2)).toHaveText('project.admin+1')

  // The role on the silo remains, so nothing is lost.
  await rowAction(page, 'ana', 'Delete')
  await expect(dialog(page, 'Delete role assignment')).toContainText('No user loses access.')
  await confirm(page, 'Delete role assignment')
  await expect(row(page, 'ana').getByRole('cell').nth(2)).toHaveText('silo.admin')
  await rowAction(page, 'ben', 'Change role')
  await dialog(page, 'Edit role')
    .getByRole('radio', { name: /^Limited/ })
    .check()
  await dialog(page, 'Edit role').getByRole('button', { name: 'Update role' }).click()
  await expect(toasts(page)).toContainText('Role updated')
  await expectAccessible(page)
})

test('the fleet shows assignments, and roles mapped by silos @long', async ({ page, host }) => {
  const stranger = randomUUID()
  const { db } = host.server.controlPlane.database
  // An assignment outlives its user.
  const [admin] = await db
    .selectFrom('role_assignment')
    .selectAll()
    .where('resource_type', '=', 'fleet')
    .execute()
  await db
    .insertInto('role_assignment')
    .values({ ...admin!, identity_id: stranger, role_name: 'viewer' })
    .execute()
  await db
    .updateTable('silo')
    .set({ mapped_fleet_roles: JSON.stringify({ limited_collaborator: ['viewer'] }) })
    .execute()
  await page.goto('/system/access')
  await expect(heading(page, 'Fleet Access')).toBeVisible()
  await expect(row(page, 'admin').getByText('fleet.admin')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: stranger })).toContainText('fleet.viewer')
  const mapping = page.getByRole('row').filter({ hasText: 'Role mapping' })
  await expect(mapping).toContainText('Any silo.limited_collaborator in main')
  await expect(mapping).toContainText('fleet.viewer')
  await expectAccessible(page)
})

test('holders of a permission are listed with the reason, and the permissions of a user @long', async ({
  page,
  host,
  api,
  project,
}) => {
  const ana = await person(host, 'ana')
  const group = await addGroup(host, 'platform-admins', [ana.id])
  await give(api, given(group, 'admin', 'group'))
  await page.goto('/projects')
  await rowAction(page, project.name, 'Who can…')
  const panel = dialog(page, 'Who can…')
  await expect(
    panel.getByRole('radio', { name: 'change or delete the project, or change its access' }),
  ).toBeChecked()
  const users = panel.getByRole('list', { name: 'Users' })
  await expect(users).toContainText(
    'anasilo.admin through group platform-admins, which counts as project.admin',
  )
  await panel.getByRole('searchbox', { name: 'Search by name' }).fill('adm')
  await expect(users).not.toContainText('ana')
  await expect(users).toContainText('admin')
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Close' }).first().click()

  const path = { project: project.name }
  const roleAssignments = [given(ana.id, 'viewer')]
  await ok(api.projectPolicyUpdate({ path, body: { roleAssignments } }))
  await page.goto(`/projects/${project.name}/access`)
  await page.getByRole('button', { name: 'ana', exact: true }).click()
  const access = dialog(page, 'Access')
  await expect(access.getByRole('list', { name: 'Roles' })).toContainText(
    'silo.admin through group platform-admins',
  )
  const may = access.getByRole('table', { name: `May do in project ${project.name}` })
  await expect(may.getByRole('row', { name: /^VPC / })).toBeVisible()
  await expectAccessible(page)
})

test('operators appoint the first admin of a silo @long', async ({ page, api }) => {
  const quotas = { cpus: 1, memory: GiB, storage: GiB }
  const body = { name: 'guild', description: '', identityMode: 'local_only' as const }
  await ok(api.siloCreate({ body: { ...body, quotas, discoverable: true, tlsCertificates: [] } }))
  const password = { mode: 'login_disallowed' } as const
  const query = { silo: 'guild' }
  await ok(api.localIdpUserCreate({ query, body: { externalId: 'greta', password } }))
  await page.goto('/system/silos/guild/access')
  await expect(page.getByRole('heading', { name: 'No roles assigned' })).toBeVisible()
  await page.getByRole('button', { name: 'Add user or group' }).first().click()
  const form = dialog(page, 'Add user or group')
  // Only users and groups of that silo can have roles there.
  await choose(form.getByRole('combobox', { name: 'User or group' }), 'greta')
  await form.getByRole('radio', { name: /^Admin/ }).check()
  await form.getByRole('button', { name: 'Assign role' }).click()
  await expect(row(page, 'greta')).toContainText('silo.admin')
  const { roleAssignments } = await ok(api.siloPolicyView({ path: { silo: 'guild' } }))
  expect(roleAssignments).toMatchObject([{ roleName: 'admin' }])
  await rowAction(page, 'greta', 'Delete')
  await expect(dialog(page, 'Delete role assignment')).toContainText(
    'No admin is left on silo guild.',
  )
  await confirm(page, 'Delete role assignment')
  await expect(row(page, 'greta')).toBeHidden()
})
