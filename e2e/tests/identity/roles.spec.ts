import { expectAccessible } from '../../support/accessibility.ts'
import { addUser, clientOf } from '../../support/host.ts'
import { GiB, ok } from '../../support/seed.ts'
import { expect, openAs, test } from '../../support/test.ts'
import {
  confirm,
  dialog,
  expectDisabled,
  openRowActions,
  row,
  rowAction,
  toasts,
} from '../../support/ui.ts'
import type { ApiClient, SiloRole } from '@steading/api/client'

async function give(api: ApiClient, identityId: string, roleName: SiloRole): Promise<void> {
  const { roleAssignments } = await ok(api.policyView())
  const others = roleAssignments.filter((assignment) => assignment.identityId !== identityId)
  const assignment = { identityId, identityType: 'silo_user' as const, roleName }
  await ok(api.policyUpdate({ body: { roleAssignments: [...others, assignment] } }))
}

test('a viewer sees everything, and the reasons for disabled actions', async ({
  page,
  api,
  host,
  project,
  seed,
}) => {
  await seed.instance(project.name, 'wheel')
  const session = await addUser(host, 'viewer')
  const viewer = await ok(clientOf(host.url, session).currentUserView())
  await give(api, viewer.id, 'viewer')
  const theirs = await openAs(page, host.url, session)
  await theirs.goto(`/projects/${project.name}/instances`)
  const reason = 'Needs project limited collaborator; you are viewer'
  const create = theirs.getByRole('button', { name: 'New Instance' })
  await expectDisabled(create, reason)
  const menu = await openRowActions(theirs, 'wheel')
  for (const name of ['Start', 'Stop', 'Reboot', 'Resize', 'Delete']) {
    await expectDisabled(menu.getByRole('menuitem', { name, exact: true }), reason)
  }
  await expect(menu.getByRole('menuitem', { name: 'View serial console' })).not.toHaveAttribute(
    'aria-disabled',
  )
  await theirs.keyboard.press('Escape')
  await row(theirs, 'wheel').getByRole('checkbox').check()
  const bar = theirs.getByRole('toolbar', { name: 'Bulk actions' })
  await expectDisabled(bar.getByRole('button', { name: 'Start' }), reason)
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  // The shortcut for creating shows it as well.
  await theirs.keyboard.press('c')
  await expect(toasts(theirs)).toContainText(reason)

  // With the role, the same page permits it.
  await give(api, viewer.id, 'limited_collaborator')
  await expect(theirs.getByRole('link', { name: 'New Instance' })).toBeVisible()
  await rowAction(theirs, 'wheel', 'Start')
  await confirm(theirs, 'Start instance')
  await expect(row(theirs, 'wheel').getByText('running')).toBeVisible()

  await theirs.goto('/projects-new')
  const form = dialog(theirs, 'Create project')
  await form.getByRole('textbox', { name: 'Name' }).fill('forge')
  const submit = form.getByRole('button', { name: 'Create project' })
  await expectDisabled(submit, 'Needs silo collaborator; you are limited collaborator')
  // The form is still there once the role has been assigned.
  await give(api, viewer.id, 'collaborator')
  await expect(submit).not.toHaveAttribute('aria-disabled')
  await submit.click()
  await expect(theirs).toHaveURL('/projects/forge/instances')
})

test('a fleet viewer sees the actions of other operators on a silo, with reasons @long', async ({
  page,
  api,
  host,
}) => {
  const body = {
    name: 'guild',
    description: '',
    identityMode: 'saml_scim' as const,
    discoverable: true,
    quotas: { cpus: 1, memory: GiB, storage: GiB },
    tlsCertificates: [],
    mappedFleetRoles: {},
  }
  await ok(api.siloCreate({ body }))
  const session = await addUser(host, 'watcher')
  const watcher = await ok(clientOf(host.url, session).currentUserView())
  const policy = await ok(api.systemPolicyView())
  const assignment = {
    identityId: watcher.id,
    identityType: 'silo_user' as const,
    roleName: 'viewer' as const,
  }
  await ok(
    api.systemPolicyUpdate({
      body: { roleAssignments: [...policy.roleAssignments, assignment] },
    }),
  )
  // An admin of one silo is not one of another.
  await give(api, watcher.id, 'admin')
  const theirs = await openAs(page, host.url, session)
  await theirs.goto('/system/silos')
  const collaborator = 'Needs fleet collaborator; you are viewer'
  await expectDisabled(theirs.getByRole('button', { name: 'New silo' }), collaborator)
  const menu = await openRowActions(theirs, 'guild')
  await expectDisabled(menu.getByRole('menuitem', { name: 'Delete' }), collaborator)
  await theirs.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await theirs.getByRole('link', { name: 'guild' }).click()
  await expectDisabled(
    theirs.getByRole('button', { name: 'New provider' }),
    'Needs fleet admin; you are viewer',
  )
  await theirs.getByRole('tab', { name: 'Quotas' }).click()
  await expectDisabled(theirs.getByRole('button', { name: 'Edit quotas' }), collaborator)
})

test('a resource that a user may not see does not exist for them', async ({
  page,
  host,
  project,
}) => {
  const theirs = await openAs(page, host.url, await addUser(host, 'stranger'))
  await theirs.goto(`/projects/${project.name}/instances`)
  await expect(theirs.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('a member of one project starts with that project instead of a refusal @long', async ({
  page,
  api,
  host,
  project,
  consoleErrors,
}) => {
  consoleErrors.expect(/403/)
  const session = await addUser(host, 'member')
  const member = await ok(clientOf(host.url, session).currentUserView())
  const role = { identityId: member.id, identityType: 'silo_user' as const }
  const body = { roleAssignments: [{ ...role, roleName: 'viewer' as const }] }
  await ok(api.projectPolicyUpdate({ path: { project: project.name }, body }))
  const theirs = await openAs(page, host.url, session)
  await theirs.goto('/')
  await expect(row(theirs, project.name)).toContainText('project.viewer')
  await expect(theirs.getByText('Something went wrong')).toBeHidden()
  await expectAccessible(theirs)
  await theirs.getByRole('link', { name: project.name }).click()
  await expect(theirs).toHaveURL(`/projects/${project.name}/instances`)
})
