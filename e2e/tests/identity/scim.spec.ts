import type { ApiClient } from '@steading/api/client'
import { expectAccessible } from '../../support/accessibility.ts'
import { fail } from '../../support/faults.ts'
import { addUser } from '../../support/host.ts'
import { takePictures } from '../../support/pictures.ts'
import { GiB, ok } from '../../support/seed.ts'
import { expect, openAs, test } from '../../support/test.ts'
import { confirm, dialog, openMenuOf, toasts } from '../../support/ui.ts'

const makeSilo = (api: ApiClient, name: string) =>
  ok(
    api.siloCreate({
      body: {
        name,
        description: '',
        identityMode: 'saml_scim',
        discoverable: true,
        quotas: { cpus: 16, memory: 64 * GiB, storage: 2048 * GiB },
        tlsCertificates: [],
      },
    }),
  )

test('a token is created by keyboard, shown once, used by a provider, and deleted @long', async ({
  page,
  api,
  host,
}) => {
  await makeSilo(api, 'guild')
  await page.goto('/system/silos/guild/scim')
  await expect(page.getByRole('tab', { name: 'SCIM' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText('No SCIM tokens')).toBeVisible()
  await expect(page.getByText(`${host.url}/scim/v2`)).toBeVisible()
  await page.getByRole('button', { name: 'Create token' }).press('Enter')
  const question = dialog(page, 'Create SCIM token')
  await expect(question).toContainText('can manage the users and groups of this silo')
  await question.getByRole('button', { name: 'Create', exact: true }).press('Enter')
  const shown = dialog(page, 'SCIM token created')
  await expect(shown).toContainText('You won’t see this token again')
  await expectAccessible(page)
  await takePictures(page, 'a SCIM token that was created')
  const token = await shown.getByText(/^oxide-scim-[0-9a-f]{40}$/).innerText()
  await shown.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(shown).toBeHidden()

  const table = page.getByRole('table', { name: 'SCIM Tokens' })
  const rows = table.getByRole('row').filter({ hasText: 'Never' })
  await expect(rows).toHaveCount(1)
  await expect(page.getByText(token)).toBeHidden()
  const asProvider = () =>
    fetch(`${host.url}/scim/v2/Users`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify({ userName: 'ann@example.com' }),
    })
  expect((await asProvider()).status).toBe(201)

  // A token of another operator appears automatically, below the older one.
  await ok(api.scimTokenCreate({ query: { silo: 'guild' } }))
  await expect(rows).toHaveCount(2)
  const menu = await openMenuOf(rows.first())
  await menu.getByRole('menuitem', { name: 'Delete' }).click()
  await confirm(page, 'Delete SCIM token')
  await expect(rows).toHaveCount(1)
  expect((await asProvider()).status).toBe(401)
  const [last] = await ok(api.scimTokenList({ query: { silo: 'guild' } }))
  await ok(api.scimTokenDelete({ path: { tokenId: last!.id }, query: { silo: 'guild' } }))
  await expect(page.getByText('No SCIM tokens')).toBeVisible()
})

test('a user who may not see the tokens learns who may, and gets no controls @long', async ({
  page,
  api,
  host,
  consoleErrors,
}) => {
  consoleErrors.expect(/403/)
  await makeSilo(api, 'guild')
  const session = await addUser(host, 'somebody')
  const { id } = (await ok(api.userList({}))).items.find((user) => user.displayName === 'somebody')!
  const { roleAssignments } = await ok(api.systemPolicyView({}))
  const viewer = { identityId: id, identityType: 'silo_user', roleName: 'viewer' } as const
  await ok(api.systemPolicyUpdate({ body: { roleAssignments: [...roleAssignments, viewer] } }))
  const theirs = await openAs(page, host.url, session)
  await theirs.goto('/system/silos/guild/scim')
  await expect(theirs.getByText('You do not have permission to view SCIM tokens')).toBeVisible()
  await expect(
    theirs.getByText('Only fleet and silo admins can manage SCIM tokens for this silo'),
  ).toBeVisible()
  await expect(theirs.getByRole('button', { name: 'Create token' })).toBeHidden()
  await expectAccessible(theirs)
  await takePictures(theirs, 'SCIM tokens of others')
})

test('a failure to create a token is shown, and can be retried @long', async ({
  page,
  api,
  consoleErrors,
}) => {
  consoleErrors.expect(/500|API error|ApiError/)
  await makeSilo(api, 'guild')
  await page.goto('/system/silos/guild/scim')
  await page.getByRole('button', { name: 'Create token' }).click()
  const question = dialog(page, 'Create SCIM token')
  await expect(question).toBeVisible()
  const heal = await fail(page, /\/v1\/system\/scim\/tokens/)
  const create = question.getByRole('button', { name: 'Create', exact: true })
  await create.click()
  await expect(toasts(page)).toContainText('Failed to create token')
  heal()
  await create.click()
  await expect(dialog(page, 'SCIM token created')).toBeVisible()
})
