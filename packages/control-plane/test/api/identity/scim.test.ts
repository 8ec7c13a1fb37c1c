/**
 * Users and groups over SCIM 2.0 (RFC 7643, RFC 7644): the behaviour identity providers rely on.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import {
  createProvider,
  type ListResponse,
  patchOf,
  type Provider,
  type Resource,
  userSchema,
} from '../../support/scim.ts'

let server: TestServer
let provider: Provider
beforeAll(async () => {
  server = await startTestServer()
  provider = await createProvider(server)
})
afterAll(() => server.close())

const strangerId = '11111111-1111-4111-8111-111111111111'

test('lists have a tag, although their caller is not a user', async () => {
  const { headers } = await provider.send('GET', '/Users')
  const tag = headers.get('etag')!
  expect(tag).toMatch(/^W\//)
  const again = await provider.caller.fetch('/scim/v2/Users', {
    headers: { 'if-none-match': tag },
  })
  expect(again.status).toBe(304)
})

describe('a user', () => {
  test('is created, and found at the returned address', async () => {
    const answer = await provider.send('POST', '/Users', {
      schemas: [userSchema],
      userName: 'Bjensen@example.com',
      externalId: 'ext-1',
      name: { formatted: 'Ms. Barbara Jensen', familyName: 'Jensen', givenName: 'Barbara' },
      displayName: 'Barbara',
      emails: [{ value: 'bjensen@example.com', type: 'work', primary: true }],
      password: 't1meMa$heen',
      title: 'Tour guide',
    })
    expect(answer.status).toBe(201)
    const user = answer.body as Resource
    expect(answer.headers.get('location')).toBe(user.meta.location)
    expect(answer.headers.get('etag')).toBe(user.meta.version)
    expect(user).toEqual({
      schemas: [userSchema],
      id: user.id,
      externalId: 'ext-1',
      userName: 'Bjensen@example.com',
      name: { formatted: 'Ms. Barbara Jensen', familyName: 'Jensen', givenName: 'Barbara' },
      displayName: 'Barbara',
      active: true,
      emails: [{ value: 'bjensen@example.com', type: 'work', primary: true }],
      meta: {
        resourceType: 'User',
        created: user.meta.lastModified,
        lastModified: user.meta.lastModified,
        location: `${provider.caller.url}/scim/v2/Users/${user.id}`,
        version: user.meta.version,
      },
    })
    expect(await provider.ok(200, 'GET', new URL(user.meta.location).pathname.slice(8))).toEqual(
      user,
    )
  })

  test('is replaced as a whole; `active` keeps its value if omitted', async () => {
    const { id } = await provider.user('replaced', { externalId: 'x', displayName: 'Before' })
    const path = `/Users/${id}`
    const replaced = await provider.ok(200, 'PUT', path, { userName: 'REPLACED', active: false })
    expect(replaced).toMatchObject({ id, userName: 'REPLACED', active: false })
    expect(replaced).not.toHaveProperty('externalId')
    expect(replaced).not.toHaveProperty('displayName')
    const again = await provider.ok(200, 'PUT', path, { id: 'ignored', userName: 'other' })
    expect(again).toMatchObject({ id, userName: 'other', active: false })
  })

  test('is deleted with sessions, memberships and roles', async () => {
    const { id } = await provider.user('leaver')
    const { id: groupId } = await provider.group('of the leaver', [id])
    const caller = await server.signInAs(id)
    await server.grant({ id }, 'silo', provider.siloId, 'viewer')
    expect((await caller.call('current_user_view')).display_name).toBe('leaver')
    await provider.ok(204, 'DELETE', `/Users/${id}`)
    expect((await caller.refusal('current_user_view')).status).toBe(401)
    expect(await provider.refused('GET', `/Users/${id}`)).toBe(`404 User ${id} not found`)
    expect(await provider.refused('DELETE', `/Users/${id}`)).toBe(`404 User ${id} not found`)
    expect(await provider.ok(200, 'GET', `/Groups/${groupId}`)).toMatchObject({ members: [] })
    const roles = await server.db
      .selectFrom('role_assignment')
      .selectAll()
      .where('identity_id', '=', id)
      .execute()
    expect(roles).toEqual([])
    expect(await provider.user('leaver')).not.toMatchObject({ id })
  })

  test('is signed out and leaves its groups when deactivated, and can come back', async () => {
    const { id } = await provider.user('sleeper')
    const { id: groupId } = await provider.group('of the sleeper', [id])
    const caller = await server.signInAs(id)
    await caller.call('current_user_view')
    const path = `/Users/${id}`
    const off = patchOf({ op: 'replace', value: { active: false } })
    expect(await provider.ok(200, 'PATCH', path, off)).toMatchObject({ active: false })
    expect((await caller.refusal('current_user_view')).status).toBe(401)
    expect(await provider.ok(200, 'GET', `/Groups/${groupId}`)).toMatchObject({ members: [] })
    expect(
      await server.db.selectFrom('console_session').selectAll().where('user_id', '=', id).execute(),
    ).toEqual([])
    const on = patchOf({ op: 'replace', path: 'active', value: true })
    expect(await provider.ok(200, 'PATCH', path, on)).toMatchObject({ active: true })
    expect((await (await server.signInAs(id)).call('current_user_view')).id).toBe(id)
  })

  test('has a unique name, case-insensitively', async () => {
    const { id } = await provider.user('Taken')
    expect(await provider.refused('POST', '/Users', { userName: 'tAKEN' })).toBe(
      '409 uniqueness username tAKEN',
    )
    const other = await provider.user('free')
    const rename = patchOf({ op: 'replace', path: 'userName', value: 'TAKEN' })
    expect(await provider.refused('PATCH', `/Users/${other.id}`, rename)).toBe(
      '409 uniqueness username TAKEN',
    )
    expect(await provider.refused('PUT', `/Users/${other.id}`, { userName: 'taken' })).toMatch(
      /^409/,
    )
    // It may change the case of its own name.
    expect(await provider.ok(200, 'PUT', `/Users/${id}`, { userName: 'TAKEN' })).toMatchObject({
      id,
    })
    // Names of another silo are independent.
    const elsewhere = await createProvider(server)
    expect((await elsewhere.user('taken')).id).not.toBe(id)
  })

  test('is shown in the console by its sign-in name', async () => {
    const { id } = await provider.user('shown@example.com', { displayName: 'Somebody' })
    const user = await (await server.signInAs(id)).call('current_user_view')
    expect(user.display_name).toBe('shown@example.com')
  })
})

describe('a group', () => {
  test('is created with its members, replaced and deleted', async () => {
    const [one, two] = [await provider.user('one'), await provider.user('two')]
    const created = await provider.group('Tour Guides', [one.id, two.id])
    expect(created).toMatchObject({ displayName: 'Tour Guides' })
    const members = created.members as object[]
    expect(members).toHaveLength(2)
    expect(members).toContainEqual({
      value: one.id,
      $ref: one.meta.location,
      display: 'one',
      type: 'User',
    })
    const shown = await provider.ok(200, 'GET', `/Users/${one.id}`)
    expect(shown.groups).toEqual([
      { value: created.id, $ref: created.meta.location, display: 'Tour Guides', type: 'direct' },
    ])
    const path = `/Groups/${created.id}`
    const replaced = await provider.ok(200, 'PUT', path, {
      displayName: 'Guides',
      members: [{ value: two.id }],
    })
    expect(replaced).toMatchObject({ displayName: 'Guides', members: [{ value: two.id }] })
    await server.grant({ id: created.id, type: 'silo_group' }, 'silo', provider.siloId, 'viewer')
    await provider.ok(204, 'DELETE', path)
    expect(await provider.refused('GET', path)).toBe(`404 Group ${created.id} not found`)
    expect(await provider.ok(200, 'GET', `/Users/${two.id}`)).not.toHaveProperty('groups')
    const roles = await server.db
      .selectFrom('role_assignment')
      .selectAll()
      .where('identity_id', '=', created.id)
      .execute()
    expect(roles).toEqual([])
  })

  test('has a unique name, case-insensitively', async () => {
    await provider.group('Sales')
    expect(await provider.refused('POST', '/Groups', { displayName: 'SALES' })).toBe(
      '409 uniqueness displayName SALES',
    )
    const { id } = await provider.group('Marketing')
    expect(await provider.refused('PUT', `/Groups/${id}`, { displayName: 'sales' })).toMatch(/^409/)
  })

  test('accepts only users of the silo as members', async () => {
    const elsewhere = await (await createProvider(server)).user('elsewhere')
    const add = (value: unknown) => patchOf({ op: 'add', path: 'members', value })
    const { id } = await provider.group('strict')
    const refused = (value: unknown) => provider.refused('PATCH', `/Groups/${id}`, add(value))
    for (const value of [strangerId, elsewhere.id]) {
      expect(await refused([{ value }])).toBe(
        `400 invalidValue members: there is no user with id ${value}`,
      )
    }
    expect(await refused([{ value: id, type: 'Group' }])).toMatch(/^400 invalidValue Only users/)
    for (const value of [[{}], [{ value: 'x' }], 'x', 5, [null]]) {
      expect(await refused(value)).toMatch(/^400 invalidValue /)
    }
    expect(await provider.ok(200, 'GET', `/Groups/${id}`)).toMatchObject({ members: [] })
  })

  test("with the admins' name is admin of the silo as long as it has the name", async () => {
    const boss = await createProvider(server, { admin_group_name: 'bosses' })
    const { id: userId } = await boss.user('boss')
    const caller = await server.signInAs(userId)
    const isAdmin = async () => (await caller.call('current_user_view')).silo_admin
    expect(await isAdmin()).toBe(false)
    const { id } = await boss.group('bosses', [userId])
    expect(await isAdmin()).toBe(true)
    const rename = (value: string) =>
      boss.ok(
        204,
        'PATCH',
        `/Groups/${id}`,
        patchOf({ op: 'replace', value: { displayName: value } }),
      )
    await rename('others')
    expect(await isAdmin()).toBe(false)
    await rename('bosses')
    expect(await isAdmin()).toBe(true)
    await boss.ok(204, 'DELETE', `/Groups/${id}`)
    expect(await isAdmin()).toBe(false)
  })
})

describe('a list', () => {
  let many: Provider
  beforeAll(async () => {
    many = await createProvider(server)
    for (let n = 0; n < 5; n++) await many.user(`user-${n}`, { externalId: `ext-${n}` })
    await many.group(
      'all',
      (await many.list('/Users')).Resources.map(({ id }) => id),
    )
  })

  test('comes in pages, counted from one', async () => {
    const page = async (query: string) => {
      const { totalResults, startIndex, itemsPerPage, Resources } = await many.list(
        `/Users?${query}`,
      )
      expect(Resources).toHaveLength(itemsPerPage)
      return [totalResults, startIndex, itemsPerPage]
    }
    expect(await page('')).toEqual([5, 1, 5])
    expect(await page('startIndex=1&count=2')).toEqual([5, 1, 2])
    expect(await page('startIndex=5&count=2')).toEqual([5, 5, 1])
    expect(await page('startIndex=6&count=2')).toEqual([5, 6, 0])
    expect(await page('startIndex=0&count=0')).toEqual([5, 1, 0])
    expect(await page('startIndex=-3&count=-1')).toEqual([5, 1, 0])
    expect(await page('count=99999999')).toEqual([5, 1, 5])
    const all = [1, 3, 5].map(async (start) => many.list(`/Users?startIndex=${start}&count=2`))
    const names = (await Promise.all(all)).flatMap(({ Resources }) =>
      Resources.map(({ userName }) => userName),
    )
    expect(names.toSorted()).toEqual(['user-0', 'user-1', 'user-2', 'user-3', 'user-4'])
    for (const query of ['startIndex=one', 'count=1.5', 'count=1e3']) {
      expect(await many.refused('GET', `/Users?${query}`)).toMatch(/^400 invalidValue /)
    }
  })

  const found = async (path: string, filter: string) => {
    const { Resources } = await many.list(`/${path}?filter=${encodeURIComponent(filter)}`)
    return Resources.map(({ userName, displayName }) => userName ?? displayName)
  }

  test('is filtered by the identifying attributes', async () => {
    expect(await found('Users', 'userName eq "USER-3"')).toEqual(['user-3'])
    expect(await found('Users', 'USERNAME EQ "user-3"')).toEqual(['user-3'])
    expect(await found('Users', `${userSchema}:userName eq "user-3"`)).toEqual(['user-3'])
    expect(await found('Users', 'externalId eq "ext-1"')).toEqual(['user-1'])
    expect(await found('Users', 'externalId eq "EXT-1"')).toEqual([])
    expect(await found('Users', 'userName eq "nobody"')).toEqual([])
    expect(await found('Users', String.raw`userName eq "\u0075ser-4"`)).toEqual(['user-4'])
    const [{ id }] = (await many.list('/Users?filter=userName eq "user-2"')).Resources as [Resource]
    expect(await found('Users', `id eq "${id}"`)).toEqual(['user-2'])
    expect(await found('Users', `id eq "${id}" and userName eq "user-2"`)).toEqual(['user-2'])
    expect(await found('Users', `id eq "${id}" and userName eq "user-3"`)).toEqual([])
    expect(await found('Groups', 'displayName eq "ALL"')).toEqual(['all'])
    expect(await found('Groups', `members eq "${id}"`)).toEqual(['all'])
    expect(await found('Groups', `members[value eq "${id}"]`)).toEqual(['all'])
    expect(await found('Groups', `members.value eq "${strangerId}"`)).toEqual([])
  })

  test('refuses other filters', async () => {
    const filters = [
      'userName co "user"',
      'userName ne "user"',
      'userName pr',
      'userName eq "a" or userName eq "b"',
      'not (userName eq "a")',
      'active eq true',
      'userName eq 5',
      'nosuch eq "x"',
      'name.familyName eq "x"',
      'emails[type eq "work"].value eq "x"',
      'userName eq x',
      'userName eq "x',
      'userName eq "x" and',
      'userName eq',
      'userName',
      'eq "x"',
      '"x" eq userName',
      '(userName eq "x"',
      'userName eq "x")',
      'userName eq "x" userName eq "y"',
      `${'('.repeat(5000)}userName eq "x"`,
      Array.from({ length: 500 }, () => 'userName eq "x"').join(' and '),
      '\u{1f600}',
    ]
    const answers = filters.map(async (filter) => {
      const path = `/Users?filter=${encodeURIComponent(filter)}`
      return [filter.slice(0, 60), (await many.refused('GET', path)).slice(0, 17)]
    })
    expect(await Promise.all(answers)).toEqual(
      filters.map((filter) => [filter.slice(0, 60), '400 invalidFilter']),
    )
  })

  test('contains only the selected attributes', async () => {
    const [user] = (await many.list('/Users?attributes=userName,meta.location&count=1')).Resources
    expect(Object.keys(user!).toSorted()).toEqual(['id', 'meta', 'schemas', 'userName'])
    expect(Object.keys(user!.meta)).toEqual(['location'])
    const [group] = (await many.list('/Groups?excludedAttributes=members,meta')).Resources
    expect(Object.keys(group!).toSorted()).toEqual(['displayName', 'id', 'schemas'])
    const [parts] = (await many.list('/Groups?attributes=members.value')).Resources
    expect(parts).toMatchObject({ members: [{ value: expect.any(String) }, {}, {}, {}, {}] })
    expect(Object.keys((parts!.members as object[])[0]!)).toEqual(['value'])
    expect(await many.refused('GET', '/Users?attributes=id&excludedAttributes=id')).toMatch(/^400/)
  })
})

describe('a version', () => {
  test('distinguishes two states of a resource, and guards a change', async () => {
    const user = await provider.user('versioned')
    const path = `/Users/${user.id}`
    const first = user.meta.version
    const known = { headers: { 'if-none-match': first } }
    expect((await provider.caller.fetch(`/scim/v2${path}`, known)).status).toBe(304)
    const changed = await provider.send(
      'PUT',
      path,
      { userName: 'versioned', displayName: 'V' },
      {
        headers: { 'if-match': first },
      },
    )
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(first)
    const late = { headers: { 'if-match': `"x", ${first}` } }
    expect(await provider.refused('DELETE', path, undefined, late)).toMatch(/^412 /)
    expect(await provider.refused('PUT', path, { userName: 'lost' }, late)).toMatch(/^412 /)
    expect(
      (await provider.send('DELETE', path, undefined, { headers: { 'if-match': '*' } })).status,
    ).toBe(204)
  })
})

describe('discovery', () => {
  test('describes the service, and requires a token', async () => {
    const config = await provider.ok<Record<string, { supported: boolean }>>(
      200,
      'GET',
      '/ServiceProviderConfig',
    )
    expect(
      Object.keys(config)
        .filter((key) => config[key]!.supported)
        .toSorted(),
    ).toEqual(['etag', 'filter', 'patch'])
    const types = await provider.list('/ResourceTypes')
    expect(types.Resources.map(({ id, endpoint }) => [id, endpoint])).toEqual([
      ['User', '/Users'],
      ['Group', '/Groups'],
    ])
    const schemas = await provider.list('/Schemas')
    for (const { meta } of [...types.Resources, ...schemas.Resources]) {
      await provider.ok(200, 'GET', decodeURIComponent(new URL(meta.location).pathname.slice(8)))
    }
    expect(await provider.refused('GET', '/Schemas?filter=id eq "x"')).toMatch(/^403 /)
    expect(await provider.refused('GET', '/Schemas/x')).toBe('404 Schema x not found')
    const answer = await server.anonymous.send('GET', '/scim/v2/ServiceProviderConfig')
    expect(answer.status).toBe(401)
  })
})

describe('a search in the body of a request', () => {
  const search = (path: string, body: object) =>
    provider.ok<ListResponse>(200, 'POST', `${path}/.search`, body)
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest']

  test('answers like the list', async () => {
    const { userName } = await provider.user('searched-in-a-body')
    await provider.group('Searched')
    const filter = `userName eq "${String(userName)}"`
    const found = await search('/Users', { schemas, filter, startIndex: 1, count: 10 })
    expect(found).toEqual(await provider.list(`/Users?filter=${encodeURIComponent(filter)}`))
    expect(found.totalResults).toBe(1)
    const [only] = (await search('/Users', { filter, attributes: ['userName'] })).Resources
    expect(Object.keys(only!).toSorted()).toEqual(['id', 'schemas', 'userName'])
    const groups = await search('/Groups', {
      schemas,
      filter: 'displayName eq "Searched"',
      excludedAttributes: 'members',
    })
    expect(groups.Resources).toMatchObject([{ displayName: 'Searched' }])
    expect(groups.Resources[0]).not.toHaveProperty('members')
  })

  test('is refused if invalid', async () => {
    const refused = (body: unknown) => provider.refused('POST', '/Users/.search', body)
    expect(await refused([])).toMatch(/^400 invalidSyntax /)
    expect(await refused({ schemas: ['urn:other'] })).toMatch(/^400 invalidSyntax /)
    expect(await refused({ filter: 5 })).toMatch(/^400 invalidValue filter /)
    expect(await refused({ attributes: [5] })).toMatch(/^400 invalidValue attributes /)
    expect(await refused({ filter: 'userName sw "x"' })).toMatch(/^400 invalidFilter /)
    expect((await provider.send('GET', '/Users/.search')).status).toBe(405)
  })
})
