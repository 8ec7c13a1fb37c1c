import { addUser, clientOf } from '../support/host.ts'
import { ok } from '../support/seed.ts'
import { expect, openAs, test } from '../support/test.ts'
import { confirm, dialog, row, rowAction, toasts } from '../support/ui.ts'
import type { ApiClient, SiloRole } from '@steading/api/client'

async function give(api: ApiClient, identityId: string, roleName: SiloRole): Promise<void> {
  const { roleAssignments } = await ok(api.policyView())
  const others = roleAssignments.filter((assignment) => assignment.identityId !== identityId)
  const assignment = { identityId, identityType: 'silo_user' as const, roleName }
  await ok(api.policyUpdate({ body: { roleAssignments: [...others, assignment] } }))
}

test('a viewer sees everything, and is told what is not theirs to do', async ({
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
  await theirs.goto('/projects')
  await theirs.getByRole('link', { name: project.name }).click()
  await rowAction(theirs, 'wheel', 'Start')
  await confirm(theirs, 'Start instance')
  await expect(toasts(theirs)).toContainText("Error starting instance 'wheel'")
  await expect(toasts(theirs)).toContainText('Action not authorized')
  await expect(row(theirs, 'wheel').getByText('stopped')).toBeVisible()

  await theirs.goto('/projects-new')
  const form = dialog(theirs, 'Create project')
  await form.getByRole('textbox', { name: 'Name' }).fill('forge')
  await form.getByRole('button', { name: 'Create project' }).click()
  await expect(form.getByText('Action not authorized')).toBeVisible()
  // The form is still there for when the role has been given.
  await give(api, viewer.id, 'collaborator')
  await expect(async () => {
    await form.getByRole('button', { name: 'Create project' }).click()
    await expect(theirs).toHaveURL('/projects/forge/instances', { timeout: 1000 })
  }).toPass()
})

test('a thing that a user may not see does not exist for them', async ({ page, host, project }) => {
  const theirs = await openAs(page, host.url, await addUser(host, 'stranger'))
  await theirs.goto(`/projects/${project.name}/instances`)
  await expect(theirs.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})
