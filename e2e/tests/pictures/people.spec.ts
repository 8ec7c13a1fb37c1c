/** Pictures of silos, people, access, and sign-in. */
import type { Page } from '@playwright/test'
import type { ApiClient, SiloCreate, SiloRole } from '@steading/api/client'
import { makeCertificate } from '../../../packages/api/test/support/certificates.ts'
import {
  base64,
  ENTITY_ID,
  metadataOf,
} from '../../../packages/control-plane/test/support/saml/provider.ts'
import { fail, missing } from '../../support/faults.ts'
import { databaseOf } from '../../support/many.ts'
import { DESK, openAtDesk as open, picture } from '../../support/pictures.ts'
import { GiB, ok } from '../../support/seed.ts'
import { expect, type Scene, test } from '../../support/test.ts'
import { choose, dialog, heading, openRowActions, rowAction } from '../../support/ui.ts'

const LONG = 'a-silo-with-a-name-that-is-as-long-as-a-name-can-possibly-be-63'
const GUILD = '/system/silos/guild'

const siloBody: SiloCreate = {
  name: 'guild',
  description: 'All other mills of the valley',
  identityMode: 'saml_jit',
  discoverable: true,
  adminGroupName: 'masters',
  mappedFleetRoles: { admin: ['admin'], viewer: ['viewer'] },
  quotas: { cpus: 64, memory: 256 * GiB, storage: 10 * 1024 * GiB },
  tlsCertificates: [],
}

const makeUser = (api: ApiClient, externalId: string) =>
  ok(
    api.localIdpUserCreate({
      query: { silo: 'main' },
      body: { externalId, password: { mode: 'password', value: 'a good long password' } },
    }),
  )

async function makeGroup(api: ApiClient, displayName: string, members: string[]) {
  const group = await ok(api.groupCreate({ body: { displayName } }))
  const body = { add: members, remove: [] }
  await ok(api.groupMembersUpdate({ path: { groupId: group.id }, body }))
  return group
}

async function fillSilos(api: ApiClient, host: { url: string }) {
  for (const values of [
    siloBody,
    {
      ...siloBody,
      name: 'brewery',
      description: '',
      identityMode: 'local_only' as const,
      mappedFleetRoles: {},
      quotas: { cpus: 16, memory: 64 * GiB, storage: 2048 * GiB },
    },
    {
      ...siloBody,
      name: LONG,
      identityMode: 'saml_scim' as const,
      description: 'Holds what the millers bring in autumn. '.repeat(8),
      quotas: { cpus: 9_999_999, memory: 2 ** 56, storage: 2 ** 58 },
    },
  ])
    await ok(api.siloCreate({ body: values }))
  const query = { silo: 'guild' }
  for (const name of ['okta', 'a-provider-of-a-very-long-name-for-everybody']) {
    await ok(
      api.samlIdentityProviderCreate({
        query,
        body: {
          name,
          description: 'Everybody of the guild',
          idpMetadataSource: { type: 'base64_encoded_xml', data: base64(metadataOf()) },
          idpEntityId: ENTITY_ID,
          spClientId: 'https://cloud.example/sp',
          acsUrl: `${host.url}/login/guild/saml/${name}`,
          sloUrl: 'https://cloud.example/logout',
          technicalContactEmail: 'ops@guild.example',
          groupAttributeName: 'groups',
        },
      }),
    )
  }
  await ok(api.scimTokenCreate({ query }))
  await ok(api.scimTokenCreate({ query: { silo: LONG } }))
}

const scene: Scene = {
  async fill({ host, api, project: { name: project }, seed }) {
    await fillSilos(api, host)
    const people = []
    for (const name of [
      'ana-lindqvist',
      'ben',
      'cleo-marchetti-of-the-east-mill',
      'dora',
      'a-person-with-a-name-that-takes-all-the-room-there-is-in-rows',
    ])
      people.push(await makeUser(api, name))
    const ids = people.map(({ id }) => id)
    const millers = await makeGroup(api, 'Millers of the lower valley', ids.slice(0, 3))
    await makeGroup(api, 'Night shift', ids.slice(1, 2))
    await makeGroup(api, 'No one yet', [])
    const given = (identityId: string, roleName: SiloRole, type: 'user' | 'group' = 'user') => ({
      identityId,
      identityType: `silo_${type}` as const,
      roleName,
    })
    const { roleAssignments } = await ok(api.policyView())
    const more = [
      given(millers.id, 'collaborator', 'group'),
      given(ids[0]!, 'admin'),
      given(ids[3]!, 'viewer'),
      given(ids[4]!, 'limited_collaborator'),
    ]
    await ok(api.policyUpdate({ body: { roleAssignments: [...roleAssignments, ...more] } }))
    await ok(
      api.projectPolicyUpdate({
        path: { project },
        body: {
          roleAssignments: [
            { identityId: ids[1]!, identityType: 'silo_user', roleName: 'admin' },
            { identityId: millers.id, identityType: 'silo_group', roleName: 'viewer' },
          ],
        },
      }),
    )
    await seed.instance(project, 'wheel')
    await seed.disk(project, 'sacks')
    for (const [name, days] of Object.entries({ autumn: 10, winter: 100, spring: 300 })) {
      const names = ['main.sys.cloud.example', 'console.cloud.example', '*.sys.cloud.example']
      const { cert, key } = await makeCertificate({ names, days })
      const body = { name, description: '', service: 'external_api' as const, cert, key }
      await ok(api.certificateCreate({ body }))
    }
    const db = databaseOf(host)
    const use = (name: string, cpus: number, memory: number, storage: number) =>
      db
        .updateTable('silo')
        .set({ used_cpus: cpus, used_memory: memory * GiB, used_storage: storage * GiB })
        .where('name', '=', name)
        .execute()
    await use('brewery', 15, 64, 1500)
    await use('guild', 30, 100, 2500)
  },
}

// Errors are part of the pictures.
test.beforeEach(({ consoleErrors }) => {
  consoleErrors.expect(/./)
})

const panel = async (page: Page, path: string, title: string, height?: number) => {
  await page.setViewportSize(DESK)
  await page.goto(path)
  await expect(dialog(page, title)).toBeVisible()
  await picture(page, `panel ${title}`, height)
}

test.describe('of a full cloud', () => {
  test.use({ scene })

  test('silos', async ({ page }) => {
    await open(page, '/system/silos', 'Silos')
    await expect(page.getByRole('row').nth(4)).toBeVisible()
    await picture(page, 'silos')
    await openRowActions(page, 'guild')
    await picture(page, 'menu of a silo')
    await page.keyboard.press('Escape')
    await rowAction(page, 'brewery', 'Delete')
    await expect(dialog(page, 'Delete silo')).toBeVisible()
    await picture(page, 'delete silo')
    await open(page, `/system/silos/${LONG}/idps`, LONG)
    await picture(page, 'silo of a long name')
    for (const tab of ['idps', 'users', 'quotas', 'fleet-roles', 'scim']) {
      await open(page, `${GUILD}/${tab}`, 'guild')
      await expect(page.getByRole('tabpanel')).toBeVisible()
      await expect(page.getByRole('tabpanel').getByRole('group', { name: 'Loading' })).toBeHidden()
      await picture(page, `silo ${tab}`)
    }
    await open(page, '/system/silos/main/users', 'main')
    await expect(page.getByRole('row').nth(3)).toBeVisible()
    await picture(page, 'silo local users')
    for (const tab of ['idps', 'fleet-roles', 'scim']) {
      await open(page, `/system/silos/brewery/${tab}`, 'brewery')
      await expect(page.getByRole('tabpanel')).toBeVisible()
      await picture(page, `silo empty ${tab}`)
    }
    await open(page, `${GUILD}/quotas`, 'guild')
    await page.getByRole('button', { name: 'Edit quotas' }).click()
    await expect(dialog(page, 'Edit quotas')).toBeVisible()
    await picture(page, 'edit quotas')
    await open(page, `${GUILD}/scim`, 'guild')
    await page.getByRole('button', { name: 'Create token' }).click()
    await expect(dialog(page, 'Create SCIM token')).toBeVisible()
    await picture(page, 'create scim token')
    await dialog(page, 'Create SCIM token')
      .getByRole('button', { name: 'Create', exact: true })
      .click()
    await expect(dialog(page, 'SCIM token created')).toBeVisible()
    await picture(page, 'scim token created')
  })

  test('forms of silos', async ({ page }) => {
    await panel(page, '/system/silos-new', 'Create silo')
    await picture(page, 'silo form whole', 1300)
    await page.getByRole('button', { name: 'Create silo' }).click()
    await expect(page.getByText('Name is required')).toBeVisible()
    await picture(page, 'silo form refused', 1300)
    await page.getByRole('button', { name: 'Add TLS certificate' }).click()
    await expect(dialog(page, 'Add TLS certificate')).toBeVisible()
    await picture(page, 'certificate of a silo form')
    await panel(page, `${GUILD}/idps-new`, 'Create identity provider')
    await picture(page, 'provider form whole', 1700)
    await panel(page, `${GUILD}/idps/saml/okta`, 'Identity provider')
    await picture(page, 'provider whole', 1500)
  })

  test('utilization', async ({ page }) => {
    await open(page, '/system/utilization', 'Utilization')
    await expect(page.getByRole('link', { name: 'guild' })).toBeVisible()
    await picture(page, 'system utilization')
    await open(page, '/utilization', 'Utilization')
    await picture(page, 'utilization')
  })

  test('certificates', async ({ page }) => {
    await open(page, '/certificates', 'Certificates')
    await expect(page.getByText('9 days left', { exact: true })).toBeVisible()
    await picture(page, 'certificates')
    await panel(page, '/certificates-new', 'Add TLS certificate')
  })

  test('access', async ({ page }) => {
    await open(page, '/access', 'Silo Access')
    await expect(page.getByRole('row').nth(5)).toBeVisible()
    await picture(page, 'silo access')
    await page.getByRole('button', { name: 'Add user or group' }).click()
    const add = dialog(page, 'Add user or group')
    await add.getByRole('combobox').click()
    await expect(page.getByRole('option').first()).toBeVisible()
    await picture(page, 'add role')
    await choose(add.getByRole('combobox'), 'Night shift')
    await picture(page, 'add role chosen')
    await open(page, '/access', 'Silo Access')
    await rowAction(page, 'Millers of the lower valley', 'Change role')
    await dialog(page, 'Edit role')
      .getByRole('radio', { name: /^Viewer/ })
      .check()
    await expect(dialog(page, 'Edit role').getByText(/lose/).first()).toBeVisible()
    await picture(page, 'edit role')
    await open(page, '/access', 'Silo Access')
    await rowAction(page, 'Millers of the lower valley', 'Delete')
    await expect(dialog(page, 'Delete role assignment').getByText(/lose/).first()).toBeVisible()
    await picture(page, 'delete role')
    await open(page, '/projects/mill/access', 'Project Access')
    await expect(page.getByRole('row').nth(3)).toBeVisible()
    await picture(page, 'project access')
    await page.getByRole('button', { name: 'Add user or group' }).click()
    await expect(dialog(page, 'Add user or group')).toBeVisible()
    await picture(page, 'add project role')
    await open(page, '/system/access', 'Fleet Access')
    await expect(page.getByRole('row').nth(1)).toBeVisible()
    await picture(page, 'fleet access')
    await page.getByRole('button', { name: 'Add user or group' }).click()
    await expect(dialog(page, 'Add user or group')).toBeVisible()
    await picture(page, 'add fleet role')
    await open(page, '/projects', 'Projects')
    await rowAction(page, 'mill', 'Who can…')
    await expect(dialog(page, 'Who can…').getByRole('list', { name: 'Users' })).toBeVisible()
    await picture(page, 'who can')
    await open(page, '/projects/mill/access', 'Project Access')
    await page.getByRole('button', { name: 'ben', exact: true }).click()
    await expect(dialog(page, 'Access').getByRole('table')).toBeVisible()
    await picture(page, 'access of a user')
  })

  test('users and groups', async ({ page }) => {
    await open(page, '/users', 'Users & Groups')
    await expect(page.getByRole('row').nth(4)).toBeVisible()
    await picture(page, 'users')
    await openRowActions(page, 'ben')
    await picture(page, 'menu of a user')
    await page.keyboard.press('Escape')
    await rowAction(page, 'ben', 'Delete')
    await expect(dialog(page, 'Delete user')).toBeVisible()
    await picture(page, 'delete user')
    await open(page, '/users', 'Users & Groups')
    await rowAction(page, 'ben', 'End all sessions')
    await expect(dialog(page, 'End all sessions')).toBeVisible()
    await picture(page, 'end sessions')
    await open(page, '/users', 'Users & Groups')
    await rowAction(page, 'ben', 'Set password')
    await expect(dialog(page, 'Set password')).toBeVisible()
    await picture(page, 'set password')
    await open(page, '/users', 'Users & Groups')
    await page.getByRole('link', { name: 'ben' }).click()
    await expect(heading(page, 'ben')).toBeVisible()
    await expect(page.getByText('No SSH keys')).toBeVisible()
    await picture(page, 'user')
    await open(page, '/users', 'Users & Groups')
    await page.getByRole('link', { name: 'admin' }).click()
    await expect(heading(page, 'admin')).toBeVisible()
    await expect(page.getByText('No SSH keys')).toBeVisible()
    await picture(page, 'user admin', 1100)
    await panel(page, '/users-new', 'Create user')
    await page.getByRole('button', { name: 'Generate a password' }).click()
    await picture(page, 'generated password')
    await open(page, '/groups', 'Users & Groups')
    await expect(page.getByRole('row').nth(3)).toBeVisible()
    await picture(page, 'groups')
    await rowAction(page, 'Night shift', 'Delete')
    await expect(dialog(page, 'Delete group')).toBeVisible()
    await picture(page, 'delete group')
    await open(page, '/groups', 'Users & Groups')
    await page.getByRole('link', { name: 'No one yet' }).click()
    await expect(heading(page, 'No one yet')).toBeVisible()
    await picture(page, 'empty group')
    await page.getByRole('button', { name: 'Add member' }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await picture(page, 'add member')
    await open(page, '/groups', 'Users & Groups')
    await page.getByRole('link', { name: 'Millers of the lower valley' }).click()
    await expect(page.getByRole('link', { name: 'ben' })).toBeVisible()
    await picture(page, 'group')
    await rowAction(page, 'ben', 'Remove from group')
    await expect(dialog(page, 'Remove from group')).toBeVisible()
    await picture(page, 'remove from group')
    await panel(page, '/groups-new', 'Create group')
  })

  test('the own user', async ({ page }) => {
    await open(page, '/settings/profile', 'Profile')
    await picture(page, 'profile')
    await page.goto('/settings/profile?password=true')
    await expect(dialog(page, 'Change password')).toBeVisible()
    await picture(page, 'change password')
    await open(page, '/projects', 'Projects')
    await page.getByRole('button', { name: 'User menu' }).click()
    await picture(page, 'user menu')
  })

  test('history and audit log', async ({ page }) => {
    await open(page, '/audit-log', 'Audit Log')
    await expect(page.getByRole('cell', { name: 'Succeeded' }).first()).toBeVisible()
    await picture(page, 'audit log')
    await page.getByRole('row').getByRole('button').first().click()
    await expect(dialog(page, 'Audit log entry').getByText('Request ID').first()).toBeVisible()
    await picture(page, 'audit log entry')
    await open(page, '/system/audit-log', 'Audit log of the fleet')
    await expect(page.getByRole('cell', { name: 'Succeeded' }).first()).toBeVisible()
    await picture(page, 'audit log of the fleet')
    await open(page, '/audit-log?search=nothing+has+this', 'Audit Log')
    await expect(page.getByRole('heading', { level: 2 })).toBeVisible()
    await picture(page, 'audit log without entries')
    await open(page, '/projects/mill/disks', 'Disks')
    await rowAction(page, 'sacks', 'History')
    await expect(dialog(page, 'History').getByRole('listitem').first()).toBeVisible()
    await picture(page, 'history panel')
  })

  test('failing lists', async ({ page }) => {
    await fail(page, /\/v1\/(system\/silos\?|policy|audit-log|certificates)|\/users?\?|\/groups?\?/)
    for (const [path, title] of [
      ['/system/silos', 'Silos'],
      ['/access', 'Silo Access'],
      ['/audit-log', 'Audit log'],
      ['/certificates', 'Certificates'],
    ] as const) {
      await page.goto(path)
      await expect(missing(page).first()).toBeVisible()
      await picture(page, `failing ${title}`)
    }
  })
})

test('of an empty cloud', async ({ page, host }) => {
  const { db } = host.server.controlPlane.database
  await db.updateTable('silo_user').set({ password_generated: 1 }).execute()
  await open(page, '/projects', 'Projects')
  const notice = page.getByRole('status').filter({ hasText: 'the generated one is in' })
  await expect(notice).toBeVisible()
  await picture(page, 'generated password hint')
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await open(page, '/groups', 'Users & Groups')
  await expect(page.getByRole('heading', { level: 2 })).toBeVisible()
  await picture(page, 'no groups')
  await open(page, '/certificates', 'Certificates')
  await expect(page.getByRole('heading', { level: 2 })).toBeVisible()
  await picture(page, 'no certificates')
})

test.describe('signed out', () => {
  test.use({ scene, storageState: { cookies: [], origins: [] } })

  test('sign-in pages', async ({ page, host }) => {
    for (const [path, title, name] of [
      ['/login/main/local', 'main', 'sign in'],
      ['/login/guild/saml/okta', 'guild', 'sign in by provider'],
      [`/login/${LONG}/local`, LONG, 'sign in to a long name'],
      ['/login/choose', 'Sign in to a silo', 'choose a silo'],
      ['/login/choose?silo=nobody', 'Sign in to a silo', 'no such silo'],
      ['/login/guild/local', 'guild', 'sign in with providers'],
    ] as const) {
      await open(page, path, title)
      await picture(page, name)
    }
    const answer = Buffer.from('<nothing-signed/>').toString('base64')
    await page.goto('about:blank')
    await page.setContent(
      `<form method="post" action="${host.url}/login/guild/saml/okta"><input name="SAMLResponse" value="${answer}"><button>Send</button></form>`,
    )
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByRole('alert')).toContainText('Could not sign in')
    await picture(page, 'refused by provider')
  })
})

test('signed out because', async ({ page, api }) => {
  await open(page, '/projects', 'Projects')
  const { id: userId } = await ok(api.currentUserView())
  await ok(api.userLogout({ path: { userId } }))
  await page.goto('/settings/profile')
  await expect(page.getByText('You were signed out')).toBeVisible()
  await picture(page, 'signed out because')
})

test('the people of the demo', async ({ page, demo }) => {
  await page.setViewportSize(DESK)
  await page.addInitScript(() => localStorage.setItem('demo-tour', 'left'))
  await page.goto(`${demo}/projects`)
  await page.getByRole('button', { name: 'User menu' }).click()
  await picture(page, 'demo user menu')
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('list', { name: 'People of the demo' })).toBeVisible()
  await picture(page, 'demo sign in')
})
