/**
 * The requests of two identity providers, in the order and with the bodies of their documentation:
 * Okta's tests for SCIM 2.0 servers and its provisioning, and the provisioning service of Microsoft
 * Entra ID.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/harness.ts'
import {
  createProvider,
  groupSchema,
  patchOf,
  type Provider,
  type Resource,
  userSchema,
} from '../support/scim.ts'

let server: TestServer
let provider: Provider
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

describe('Okta', () => {
  beforeAll(async () => {
    provider = await createProvider(server)
  })
  let user: Resource
  const body = {
    schemas: [userSchema],
    userName: 'test.user@okta.local',
    name: { givenName: 'Test', familyName: 'User' },
    emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
    displayName: 'Test User',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  }

  test('checks whether the server has users, and refuses strangers everywhere', async () => {
    expect(await provider.list('/Users?count=1&startIndex=1')).toMatchObject({
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    })
    const missing = await provider.send('GET', '/Users/010101001010101011001010101011')
    expect(missing.status).toBe(404)
    expect(missing.body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '404',
      detail: expect.any(String),
    })
    const bad = { headers: { authorization: 'Bearer 12345' } }
    expect((await server.anonymous.send('GET', '/scim/v2/Users', bad)).status).toBe(401)
  })

  test('creates a user whose name is free, and finds it again', async () => {
    const filter = '?filter=userName%20eq%20%22test.user%40okta.local%22&startIndex=1&count=100'
    expect(await provider.list(`/Users${filter}`)).toMatchObject({ totalResults: 0 })
    user = await provider.ok(201, 'POST', '/Users', body)
    expect(user).toMatchObject({
      schemas: [userSchema],
      userName: body.userName,
      name: body.name,
      emails: body.emails,
      displayName: body.displayName,
      externalId: body.externalId,
      active: true,
    })
    expect(user).not.toHaveProperty('password')
    expect((await provider.list(`/Users${filter}`)).Resources).toEqual([user])
    expect(await provider.ok(200, 'GET', `/Users/${user.id}`)).toEqual(user)
    const again = await provider.send('POST', '/Users', body)
    expect(again.status).toBe(409)
    expect(again.body).toMatchObject({ status: '409', scimType: 'uniqueness' })
  })

  test('replaces the profile', async () => {
    const name = { givenName: 'Another', middleName: 'Excited', familyName: 'User' }
    const changed = { ...user, name, displayName: 'Another User' }
    const path = `/Users/${user.id}`
    const answer = await provider.ok(200, 'PUT', path, changed)
    expect(answer).toMatchObject({ id: user.id, name, displayName: 'Another User', active: true })
    expect(await provider.ok(200, 'GET', path)).toEqual(answer)
  })

  test('deactivates a user and activates it again', async () => {
    const path = `/Users/${user.id}`
    for (const active of [false, true]) {
      const patch = patchOf({ op: 'replace', value: { active } })
      expect(await provider.ok(200, 'PATCH', path, patch)).toMatchObject({ active })
      expect(await provider.ok(200, 'GET', path)).toMatchObject({ active, userName: body.userName })
    }
    const put = await provider.ok(200, 'PUT', path, { ...user, active: false })
    expect(put).toMatchObject({ active: false })
    await provider.ok(200, 'PUT', path, { ...user, active: true })
  })

  test('pushes a group, renames it, and changes its members', async () => {
    const other = await provider.user('other.user@okta.local')
    const group = await provider.ok(201, 'POST', '/Groups', {
      schemas: [groupSchema],
      displayName: 'Test SCIMv2',
      members: [],
    })
    const path = `/Groups/${group.id}`
    expect(group).toMatchObject({ displayName: 'Test SCIMv2', members: [] })
    await provider.ok(
      204,
      'PATCH',
      path,
      patchOf({ op: 'replace', value: { id: group.id, displayName: 'Renamed SCIMv2' } }),
    )
    const values = async () => {
      const { displayName, members } = await provider.ok(200, 'GET', path)
      return [displayName, (members as { value: string }[]).map(({ value }) => value).toSorted()]
    }
    const both = [user.id, other.id].toSorted()
    await provider.ok(
      204,
      'PATCH',
      path,
      patchOf(
        { op: 'remove', path: `members[value eq "${user.id}"]` },
        {
          op: 'add',
          path: 'members',
          value: [
            { value: user.id, display: 'test.user@okta.local' },
            { value: other.id, display: 'other.user@okta.local' },
          ],
        },
      ),
    )
    expect(await values()).toEqual(['Renamed SCIMv2', both])
    const gone = patchOf({ op: 'remove', path: `members[value eq "${other.id}"]` })
    await provider.ok(204, 'PATCH', path, gone)
    expect(await values()).toEqual(['Renamed SCIMv2', [user.id]])
    const all = [{ value: user.id }, { value: other.id }]
    await provider.ok(204, 'PATCH', path, patchOf({ op: 'replace', path: 'members', value: all }))
    expect(await values()).toEqual(['Renamed SCIMv2', both])
    const put = { schemas: [groupSchema], id: group.id, displayName: 'Put', members: all.slice(1) }
    await provider.ok(200, 'PUT', path, put)
    expect(await values()).toEqual(['Put', [other.id]])
    await provider.ok(204, 'DELETE', path)
    expect((await provider.send('GET', path)).status).toBe(404)
  })

  test('imports users and groups page by page', async () => {
    for (let n = 0; n < 3; n++) await provider.user(`import-${n}@okta.local`)
    const names: unknown[] = []
    for (let startIndex = 1; ;) {
      const page = await provider.list(`/Users?startIndex=${startIndex}&count=2`)
      names.push(...page.Resources.map(({ userName }) => userName))
      startIndex += page.itemsPerPage
      if (startIndex > page.totalResults) break
    }
    expect(new Set(names).size).toBe(5)
    expect(await provider.list('/Groups?startIndex=1&count=100')).toMatchObject({ totalResults: 0 })
  })
})

describe('Microsoft Entra ID', () => {
  beforeAll(async () => {
    provider = await createProvider(server)
  })
  let user: Resource
  let group: Resource

  test('tests the connection, and reads the schemas', async () => {
    const unknown = encodeURIComponent(`userName eq "${crypto.randomUUID()}"`)
    expect(await provider.list(`/Users?filter=${unknown}`)).toMatchObject({ totalResults: 0 })
    const schemas = await provider.list('/Schemas')
    expect(schemas.Resources.map(({ id }) => id)).toEqual([userSchema, groupSchema])
    await provider.list('/ResourceTypes')
    await provider.ok(200, 'GET', '/ServiceProviderConfig')
  })

  test('creates a user', async () => {
    user = await provider.ok(201, 'POST', '/Users', {
      schemas: [userSchema, enterprise],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: 'Test_User_ab6490ee-1e48-479e-a20b-2d77186b5dd1',
      active: true,
      emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@testuser.com' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
      [enterprise]: { department: 'Sales', manager: '26118915-6090-4610-87e4-49d8ca9f808d' },
    })
    expect(user).toMatchObject({ active: true, name: { givenName: 'givenName' } })
  })

  test('finds users by its matching attributes', async () => {
    for (const filter of [
      `userName eq "${String(user.userName)}"`,
      `externalId eq "${String(user.externalId)}"`,
      `id eq "${user.id}"`,
    ]) {
      const { Resources } = await provider.list(`/Users?filter=${encodeURIComponent(filter)}`)
      expect(Resources).toEqual([user])
    }
    const nobody = encodeURIComponent('userName eq "non-existent user"')
    const { totalResults, Resources } = await provider.list(`/Users?filter=${nobody}`)
    expect([totalResults, Resources]).toEqual([0, []])
  })

  test('updates attributes, including multi-valued ones', async () => {
    const path = `/Users/${user.id}`
    const changed = await provider.ok(
      200,
      'PATCH',
      path,
      patchOf(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated@example.com' },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Add', path: 'emails[type eq "home"].value', value: 'home@example.com' },
        { op: 'Add', path: 'displayName', value: 'Shown' },
        { op: 'Replace', path: `${enterprise}:department`, value: 'Marketing' },
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555' },
        { op: 'Add', path: 'title', value: 'Engineer' },
      ),
    )
    expect(changed).toMatchObject({
      name: { familyName: 'updatedFamilyName', givenName: 'givenName' },
      displayName: 'Shown',
      emails: [
        { primary: true, type: 'work', value: 'updated@example.com' },
        { type: 'home', value: 'home@example.com' },
      ],
    })
    const flat = { displayName: 'Flat', 'name.givenName': 'Given', [`${enterprise}:division`]: 'x' }
    expect(
      await provider.ok(200, 'PATCH', path, patchOf({ op: 'Add', value: flat })),
    ).toMatchObject({ displayName: 'Flat', name: { givenName: 'Given' } })
    const renamed = patchOf({ op: 'replace', path: 'userName', value: 'Renamed@testuser.com' })
    expect(await provider.ok(200, 'PATCH', path, renamed)).toMatchObject({
      userName: 'Renamed@testuser.com',
    })
  })

  test('disables a user with a boolean as text, and enables it again', async () => {
    const path = `/Users/${user.id}`
    const disable = patchOf({ op: 'Replace', path: 'active', value: 'False' })
    expect(await provider.ok(200, 'PATCH', path, disable)).toMatchObject({ active: false })
    const enable = patchOf({ op: 'Replace', path: 'active', value: 'True' })
    expect(await provider.ok(200, 'PATCH', path, enable)).toMatchObject({ active: true })
    const odd = patchOf({ op: 'Replace', path: 'active', value: 'no' })
    expect(await provider.refused('PATCH', path, odd)).toMatch(/^400 invalidValue active /)
  })

  test('creates a group, and reads it without its members', async () => {
    group = await provider.ok(201, 'POST', '/Groups', {
      schemas: [
        groupSchema,
        'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
      ],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'displayName',
      members: [],
      meta: { resourceType: 'Group' },
    })
    const without = await provider.ok(200, 'GET', `/Groups/${group.id}?excludedAttributes=members`)
    expect(without).toEqual({ ...group, members: undefined })
    const filter = encodeURIComponent('displayName eq "displayName"')
    const { Resources } = await provider.list(`/Groups?excludedAttributes=members&filter=${filter}`)
    expect(Resources).toEqual([without])
  })

  test('renames the group, adds and removes members', async () => {
    const path = `/Groups/${group.id}`
    const patch = (...operations: object[]) =>
      provider.ok(204, 'PATCH', path, patchOf(...operations))
    const members = async () => (await provider.ok(200, 'GET', path)).members as { value: string }[]
    await patch({
      op: 'Replace',
      path: 'displayName',
      value: '1879db59-3bdf-4490-ad68-ab880a269474',
    })
    await patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: user.id }] })
    expect(await members()).toMatchObject([{ value: user.id }])
    const asked = encodeURIComponent(`id eq "${group.id}" and members eq "${user.id}"`)
    expect(await provider.list(`/Groups?filter=${asked}&attributes=id`)).toMatchObject({
      totalResults: 1,
    })
    await patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: user.id }] })
    expect(await members()).toEqual([])
    await patch({ op: 'Add', path: 'members', value: [{ value: user.id }] })
    await patch({ op: 'Remove', path: `members[value eq "${user.id}"]` })
    expect(await members()).toEqual([])
    expect(await provider.ok(200, 'GET', path)).toMatchObject({
      displayName: '1879db59-3bdf-4490-ad68-ab880a269474',
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
    })
  })

  test('deletes the group and the user', async () => {
    for (const path of [`/Groups/${group.id}`, `/Users/${user.id}`]) {
      await provider.ok(204, 'DELETE', path)
      expect((await provider.send('GET', path)).status).toBe(404)
      expect((await provider.send('DELETE', path)).status).toBe(404)
    }
  })
})
