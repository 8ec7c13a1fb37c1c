/**
 * The first day of two users: one with a role on a single project and none on the silo, and the
 * second user of a silo, created by its first.
 */
import type { Locator, Page } from '@playwright/test'
import type { ApiClient, ProjectRole } from '@steading/api/client'
import { expectAccessible } from '../support/accessibility.ts'
import { showAsCode } from '../support/as-code.ts'
import { addUser, clientOf, type Host } from '../support/host.ts'
import { seedImage } from '../support/images.ts'
import { ok } from '../support/seed.ts'
import { walker } from '../support/tab.ts'
import { expect, openAs, test } from '../support/test.ts'
import { choose, confirm, dialog, heading, row, rowAction, toasts } from '../support/ui.ts'

/** The page of a user with a role on project mill only. */
async function memberOf(
  page: Page,
  host: Host,
  api: ApiClient,
  roleName: ProjectRole,
): Promise<Page> {
  const session = await addUser(host, 'mo')
  const { id: identityId } = await ok(clientOf(host.url, session).currentUserView())
  await ok(
    api.projectPolicyUpdate({
      path: { project: 'mill' },
      body: { roleAssignments: [{ identityId, identityType: 'silo_user', roleName }] },
    }),
  )
  return openAs(page, host.url, session)
}

/** A user creates an instance in project mill, works with it, and deletes it. */
async function workForADay(theirs: Page, api: ApiClient) {
  const field = (name: string) => theirs.getByRole('textbox', { name, exact: true })

  await test.step('an SSH key', async () => {
    await theirs.goto('/settings/ssh-keys-new')
    const form = dialog(theirs, 'Add SSH key')
    await field('Name').fill('desk')
    await form
      .getByRole('textbox', { name: 'Public key' })
      .fill('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHsS6j2yUmaPYqRkPRyGdnWu')
    await form.getByRole('button', { name: 'Add SSH key' }).click()
    await expect(toasts(theirs)).toContainText('desk')
  })

  await test.step('an instance from an image of the project, with an address and a disk', async () => {
    await theirs.goto('/projects/mill/instances-new')
    await expect(heading(theirs, 'Create instance')).toBeVisible()
    await theirs.getByRole('tab', { name: 'Silo images' }).click()
    await expect(theirs.getByRole('combobox', { name: 'Image' })).toBeVisible()
    await expectAccessible(theirs)
    await theirs.getByRole('tab', { name: 'Project images' }).click()
    await field('Name').fill('wheel')
    await choose(theirs.getByRole('combobox', { name: 'Image' }), 'flour')
    await theirs.getByRole('checkbox', { name: 'Allocate IPv4 address' }).check()
    await theirs.getByRole('button', { name: 'Create new disk' }).click()
    const disk = dialog(theirs, 'Create disk')
    await disk.getByRole('textbox', { name: 'Name', exact: true }).fill('sack')
    await disk.getByRole('button', { name: 'Create disk' }).click()
    await theirs.getByRole('button', { name: 'Create instance' }).click()
    await expect(heading(theirs, 'wheel')).toBeVisible()
  })

  await test.step('a floating IP of the default pool, attached on the networking tab', async () => {
    await theirs.goto('/projects/mill/floating-ips-new')
    const form = dialog(theirs, 'Create floating IP')
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('door')
    const pools = await ok(api.ipPoolList({ query: {} }))
    const pool = pools.items.find(({ isDefault, ipVersion }) => isDefault && ipVersion === 'v4')!
    await form.getByRole('button', { name: 'Pool' }).click()
    await theirs.getByRole('option', { name: new RegExp(`^${pool.name}`) }).click()
    await form.getByRole('button', { name: 'Create floating IP' }).click()
    await expect(row(theirs, 'door')).toContainText(pool.name)
    await theirs.goto('/projects/mill/instances/wheel/networking')
    await expect(theirs.getByRole('table', { name: 'External IPs' })).toContainText('ephemeral')
    await theirs.getByRole('button', { name: 'Attach floating IP' }).click()
    const attach = dialog(theirs, 'Attach floating IP')
    await attach.getByRole('button', { name: 'Floating IP' }).first().click()
    await theirs.getByRole('option', { name: 'door' }).click()
    await attach.getByRole('button', { name: 'Attach floating IP' }).click()
    await expect(toasts(theirs)).toContainText('attached')
  })

  await test.step('a firewall rule', async () => {
    await theirs.goto('/projects/mill/vpcs/default/firewall-rules-new')
    const form = dialog(theirs, 'Add firewall rule')
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('web')
    await form.getByRole('textbox', { name: 'Port filters' }).fill('80')
    await choose(form.getByRole('combobox', { name: 'VPC name' }).first(), 'default')
    await form.getByRole('button', { name: 'Add rule' }).click()
    await expect(row(theirs, 'web')).toBeVisible()
  })

  await test.step('the serial console, a stop and a deletion', async () => {
    await theirs.goto('/projects/mill/instances/wheel/serial-console')
    await expect(theirs.getByRole('textbox', { name: /terminal/i })).toBeAttached()
    await theirs.goto('/projects/mill/instances')
    await rowAction(theirs, 'wheel', 'Stop')
    await confirm(theirs, 'Stop instance')
    await expect(row(theirs, 'wheel').getByText('stopped')).toBeVisible()
    await rowAction(theirs, 'wheel', 'Delete')
    await confirm(theirs, 'Delete instance')
    await expect(row(theirs, 'wheel')).toBeHidden()
  })
}

test('a member of one project needs no role on the silo to begin in it', async ({
  page,
  project,
  api,
  host,
  consoleErrors,
}) => {
  consoleErrors.expect(/status of 40[34]|API error/)
  const theirs = await memberOf(page, host, api, 'limited_collaborator')
  const name = (of: Page | Locator) => of.getByRole('textbox', { name: 'Name', exact: true })
  const inProject = `/projects/${project.name}`

  await test.step('an instance from an image of the silo, with an external address', async () => {
    await theirs.goto(`${inProject}/instances-new`)
    await expect(theirs.getByRole('tab', { name: 'Silo images', selected: true })).toBeVisible()
    await choose(theirs.getByRole('combobox', { name: 'Image' }), 'debian-13')
    await expect(theirs.getByRole('checkbox', { name: 'Allocate IPv4 address' })).toBeChecked()
    await expect(theirs.getByRole('button', { name: 'IPv4 pool' })).toContainText('default')
    await name(theirs).fill('wheel')
    await expectAccessible(theirs)
    await theirs.getByRole('button', { name: 'Create instance' }).click()
    await expect(heading(theirs, 'wheel')).toBeVisible()
    await expect(theirs.getByRole('button', { name: 'debian-13', exact: true })).toBeVisible()
    const { items } = await ok(
      api.instanceExternalIpList({ path: { instance: 'wheel' }, query: { project: project.name } }),
    )
    expect(items.map(({ kind }) => kind)).toContain('ephemeral')
  })

  const goTo = await walker(theirs)
  await test.step('a disk', async () => {
    await goTo(`${inProject}/disks-new`)
    const form = dialog(theirs, 'Create disk')
    await name(form).fill('sack')
    await form.getByRole('radio', { name: 'Image' }).check()
    await form.getByRole('button', { name: 'Source image' }).click()
    await theirs.getByRole('option', { name: /^debian-13/ }).click()
    await form.getByRole('button', { name: 'Create disk' }).click()
    await expect(row(theirs, 'sack')).toContainText('debian-13')
  })

  await test.step('a floating IP', async () => {
    await goTo(`${inProject}/floating-ips-new`)
    const form = dialog(theirs, 'Create floating IP')
    await name(form).fill('door')
    await expect(form.getByRole('button', { name: 'Pool' })).toContainText('default')
    await form.getByRole('button', { name: 'Create floating IP' }).click()
    await expect(row(theirs, 'door')).toContainText('default')
  })

  await test.step('the image policy takes the images away, and names who can change it', async () => {
    await page.goto('/images')
    await page.getByRole('button', { name: 'Image policy' }).click()
    const policy = dialog(page, 'Image policy')
    await policy.getByRole('radio', { name: 'Only users with a role on the silo' }).check()
    await expectAccessible(page)
    await policy.getByRole('button', { name: 'Update image policy' }).click()
    await expect(toasts(page)).toContainText('Image policy updated')
    await goTo(`${inProject}/instances-new`)
    await theirs.getByRole('tab', { name: 'Silo images' }).click()
    const tab = theirs.getByRole('tabpanel', { name: 'Silo images' })
    await expect(tab).toContainText('its image policy does not permit them to members of projects')
    await expect(tab).toContainText('The administrators of the silo can give you one: admin.')
    // Disks that exist stay, but the name of their image is not for members any more.
    await goTo(`${inProject}/disks`)
    await expect(row(theirs, 'sack')).toContainText('Image')
    await expect(row(theirs, 'sack')).not.toContainText(/debian-13|deleted/)
  })
})

test('a collaborator of one project works in it for a day @long', async ({
  page,
  project,
  seed,
  api,
  host,
  consoleErrors,
}) => {
  test.slow()
  consoleErrors.expect(/status of 403|API error/)
  await seedImage({ api, seed }, project.name, 'flour')
  await workForADay(await memberOf(page, host, api, 'collaborator'), api)
})

// Users are made in `identity/users.spec.ts`, and the day of a member is the one above.
const secondUser = 'the second user of a silo is made with a role and a group, and works for a day'
test(secondUser, { tag: '@long' }, async ({ page, seed, api, host, consoleErrors }) => {
  test.slow()
  consoleErrors.expect(/status of 40[34]|API error/)
  const group = await ok(api.groupCreate({ body: { displayName: 'millers' } }))
  const secret = 'grain by the sack'

  await test.step('the first user makes the second', async () => {
    await page.goto('/users-new')
    const form = dialog(page, 'Create user')
    await form.getByRole('textbox', { name: 'Name' }).fill('mo')
    await form
      .getByLabel('Password', { exact: true })
      .and(form.locator('input:not([type=radio])'))
      .fill(secret)
    await form.getByRole('button', { name: 'Role on the silo' }).click()
    await page.getByRole('option', { name: /^Collaborator/ }).click()
    await choose(form.getByRole('combobox', { name: 'Group' }), 'millers')
    await expectAccessible(page)
    const code = await showAsCode(form, 'curl')
    await expect(code).toContainText('role_assignments')
    await expect(code).toContainText(`/x/v1/groups/${group.id}/members`)
    await form.getByRole('button', { name: 'Show as code' }).click()
    await form.getByRole('button', { name: 'Create user' }).click()
    await expect(row(page, 'mo')).toBeVisible()
    const [member] = (await ok(api.userDetailsList({ query: { search: 'mo' } }))).items
    const groups = async () => {
      const answer = await ok(api.userGroupList({ path: { userId: member!.id }, query: {} }))
      return answer.items.map(({ displayName }) => displayName)
    }
    await expect.poll(groups).toEqual(['millers'])
  })

  const context = await page
    .context()
    .browser()!
    .newContext({
      baseURL: host.url,
      storageState: { cookies: [], origins: [] },
    })
  const theirs = await context.newPage()
  await test.step('the second user signs in, and makes a project', async () => {
    await theirs.goto('/login/main/local')
    await theirs.getByRole('textbox', { name: 'Username' }).fill('mo')
    await theirs.getByLabel('Password', { exact: true }).fill(secret)
    await theirs.getByRole('button', { name: 'Sign in' }).click()
    await expect(heading(theirs, 'Projects')).toBeVisible()
    await theirs.getByRole('link', { name: 'New project' }).first().click()
    await theirs.getByRole('textbox', { name: 'Name', exact: true }).fill('mill')
    await theirs.getByRole('button', { name: 'Create project' }).click()
    await expect(theirs).toHaveURL('/projects/mill/instances')
  })

  await seedImage({ api, seed }, 'mill', 'flour')
  await workForADay(theirs, api)
  await context.close()
})

const READ = [
  'instances',
  'instances/wheel/storage',
  'instances/wheel/networking',
  'instances/wheel/metrics/cpu',
  'instances/wheel/connect',
  'instances/wheel/settings',
  'instances/wheel/history',
  'disks',
  'snapshots',
  'images',
  'vpcs',
  'vpcs/default/firewall-rules',
  'vpcs/default/subnets',
  'vpcs/default/routers',
  'vpcs/default/routers/system',
  'vpcs/default/internet-gateways',
  'vpcs/default/internet-gateways/default',
  'vpcs/default/topology',
  'network-map',
  'reachability',
  'metrics',
  'dashboards',
  'floating-ips',
  'external-subnets',
  'probes',
  'alert-rules',
  'schedules',
  'instance-templates',
  'deleted',
  'affinity',
  'access',
  'service-accounts',
  // Forms, which show in advance that the role does not permit sending them.
  'instances-new',
  'instances/wheel/clone',
  'disks-new',
  'snapshots-new',
  'images-new',
  'vpcs-new',
  'vpcs/default/firewall-rules-new',
  'vpcs/default/subnets-new',
  'vpcs/default/routers-new',
  'vpcs/default/internet-gateways-new',
  'floating-ips-new',
  'external-subnets-new',
  'probes-new',
  'alert-rules-new',
  'schedules-new',
  'instance-templates-new',
  'affinity-new',
]

test('a viewer of one project sees every page of it @long', async ({
  page,
  project,
  seed,
  api,
  host,
  consoleErrors,
}) => {
  test.slow()
  consoleErrors.expect(/status of 403|API error/)
  await seed.instance(project.name, 'wheel', { networkInterfaces: { type: 'default_ipv4' } })
  const theirs = await memberOf(page, host, api, 'viewer')
  const failed: string[] = []
  const goTo = await walker(theirs)
  for (const path of READ) {
    await goTo(`/projects/mill/${path}`)
    await expect(theirs.getByRole('main').getByRole('heading').first()).toBeVisible()
    const wrong = theirs.getByText(/Something went wrong|could not be loaded|Page not found/)
    if ((await wrong.count()) > 0) failed.push(`${path}: ${await wrong.first().textContent()}`)
  }
  expect(failed).toEqual([])
})
