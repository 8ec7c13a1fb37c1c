/** Effects and refusals of a SCIM PATCH. */
import { type ClientRequest, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { createProvider, patchOf, type Provider, type Resource } from '../support/scim.ts'

let server: TestServer
let provider: Provider
beforeAll(async () => {
  server = await startTestServer()
  provider = await createProvider(server)
})
afterAll(() => server.close())

let unique = 0
const emails = [
  { value: 'a@example.com', type: 'work', primary: true },
  { value: 'b@example.com', type: 'home' },
]
/** The user after the operations. */
async function after(...operations: object[]): Promise<Resource> {
  const user = await provider.user(`patched-${unique++}`, {
    externalId: 'before',
    name: { givenName: 'Ann', familyName: 'Bo' },
    emails,
  })
  return provider.ok(200, 'PATCH', `/Users/${user.id}`, patchOf(...operations))
}

describe('of a user', () => {
  test('attributes are added, replaced and removed, with and without a path', async () => {
    expect(await after({ op: 'remove', path: 'externalId' })).not.toHaveProperty('externalId')
    expect(await after({ op: 'remove', path: 'name.givenName' })).toMatchObject({
      name: { familyName: 'Bo' },
    })
    expect(await after({ op: 'remove', path: 'NAME' })).not.toHaveProperty('name')
    // A new user is active, and so is one without the attribute.
    expect(
      await after(
        { op: 'replace', path: 'active', value: false },
        { op: 'remove', path: 'active' },
      ),
    ).toMatchObject({ active: true })
    expect(await after({ op: 'add', path: 'name', value: { givenName: 'Cy' } })).toMatchObject({
      name: { givenName: 'Cy', familyName: 'Bo' },
    })
    expect(
      await after({ op: 'replace', value: { name: { honorificPrefix: 'Dr' } } }),
    ).toMatchObject({ name: { givenName: 'Ann', familyName: 'Bo', honorificPrefix: 'Dr' } })
    expect(await after({ op: 'replace', path: 'externalId', value: null })).not.toHaveProperty(
      'externalId',
    )
  })

  test('a filter selects one of many values', async () => {
    const shown = async (...operations: object[]) => (await after(...operations)).emails
    expect(await shown({ op: 'remove', path: 'emails[type eq "HOME"]' })).toEqual([emails[0]])
    expect(
      await shown({ op: 'remove', path: 'emails[type eq "home" or not (primary pr)]' }),
    ).toEqual([emails[0]])
    expect(await shown({ op: 'remove', path: 'emails[type eq "other"]' })).toEqual(emails)
    expect(await shown({ op: 'remove', path: 'emails' })).toBeUndefined()
    expect(await shown({ op: 'remove', path: 'emails[value co "@"]' })).toBeUndefined()
    const third = { value: 'c@example.com', type: 'other' }
    expect(await shown({ op: 'add', path: 'emails', value: [third] })).toEqual([...emails, third])
    expect(await shown({ op: 'add', path: 'emails', value: third })).toEqual([...emails, third])
    expect(await shown({ op: 'add', value: { emails: [emails[1]] } })).toEqual(emails)
    expect(await shown({ op: 'replace', path: 'emails', value: [third] })).toEqual([third])
    const primary = { ...third, primary: true }
    expect(await shown({ op: 'add', path: 'emails', value: primary })).toEqual([
      { ...emails[0], primary: false },
      emails[1],
      primary,
    ])
    expect(
      await shown({ op: 'replace', path: 'emails[type eq "home"].value', value: 'x@y' }),
    ).toEqual([emails[0], { ...emails[1], value: 'x@y' }])
  })

  test('operations apply in order, and all or none', async () => {
    expect(
      await after(
        { op: 'replace', path: 'displayName', value: 'one' },
        { op: 'remove', path: 'displayName' },
        { op: 'add', path: 'displayName', value: 'two' },
      ),
    ).toMatchObject({ displayName: 'two' })
    const user = await provider.user('all or nothing')
    const path = `/Users/${user.id}`
    const half = patchOf(
      { op: 'replace', path: 'active', value: false },
      { op: 'replace', path: 'userName', value: 'half' },
      { op: 'remove', path: 'userName' },
    )
    expect(await provider.refused('PATCH', path, half)).toMatch(/^400 mutability userName/)
    expect((await provider.ok(200, 'GET', path)).meta.version).toBe(user.meta.version)
  })

  test('an operation without effect writes nothing', async () => {
    const user = await provider.user('same', { displayName: 'Same' })
    const path = `/Users/${user.id}`
    const same = patchOf(
      { op: 'replace', value: { id: user.id, active: 'true', userName: 'same' } },
      { op: 'add', path: 'displayName', value: 'Same' },
    )
    expect((await provider.ok(200, 'PATCH', path, same)).meta.version).toBe(user.meta.version)
  })

  test('an impossible operation is refused with the reason', async () => {
    const { id } = await provider.user('refusing', { emails })
    const path = `/Users/${id}`
    const before = await provider.ok(200, 'GET', path)
    const refusals: [operation: unknown, refusal: RegExp][] = [
      [{ op: 'move', path: 'active', value: true }, /^400 invalidSyntax op /],
      [{ path: 'active', value: true }, /^400 invalidSyntax op /],
      ['replace', /^400 invalidSyntax An operation must be a JSON object/],
      [{ op: 'remove' }, /^400 noTarget /],
      [{ op: 'replace', path: 'active' }, /^400 invalidValue /],
      [{ op: 'replace', value: 'x' }, /^400 invalidSyntax /],
      [{ op: 'replace', path: 5, value: 'x' }, /^400 invalidPath /],
      [{ op: 'replace', path: '', value: 'x' }, /^400 invalidPath /],
      [{ op: 'replace', path: 'nosuch', value: 'x' }, /^400 invalidPath User has no attribute/],
      [{ op: 'replace', path: 'urn:x:y:userName', value: 'x' }, /^400 invalidPath /],
      [{ op: 'replace', path: 'name.nosuch', value: 'x' }, /^400 invalidPath /],
      [{ op: 'replace', path: 'userName.x', value: 'x' }, /^400 invalidPath /],
      [{ op: 'replace', path: 'userName[x eq "y"]', value: 'x' }, /^400 invalidPath /],
      [{ op: 'replace', path: 'emails[type eq "work"', value: 'x' }, /^400 invalidPath /],
      [{ op: 'replace', path: 'emails[type eq work].value', value: 'x' }, /^400 invalidPath /],
      [{ op: 'replace', path: 'emails[].value', value: 'x' }, /^400 invalidPath /],
      [{ op: 'replace', path: 'emails[type eq "work"].value x', value: 'x' }, /^400 invalidPath /],
      [{ op: 'replace', path: 'emails[nosuch eq "x"].value', value: 'x' }, /^400 invalidFilter /],
      [{ op: 'replace', path: 'emails[type eq "other"].value', value: 'x' }, /^400 noTarget /],
      [{ op: 'replace', path: 'emails[type eq "work"].value', value: 5 }, /^400 invalidValue /],
      [{ op: 'replace', path: 'id', value: 'x' }, /^400 mutability /],
      [{ op: 'replace', path: 'meta.version', value: 'x' }, /^400 mutability /],
      [{ op: 'add', path: 'groups', value: [{ value: 'x' }] }, /^400 mutability /],
      [{ op: 'replace', path: 'userName', value: '' }, /^400 invalidValue userName is required/],
      [{ op: 'replace', path: 'userName', value: ' ' }, /^400 invalidValue userName is required/],
      [{ op: 'replace', path: 'userName', value: 5 }, /^400 invalidValue userName must be/],
      [
        { op: 'replace', path: 'userName', value: 'x'.repeat(513) },
        /^400 invalidValue userName is/,
      ],
      [{ op: 'replace', path: 'userName', value: 'a\0b' }, /^400 invalidValue userName: null/],
      [{ op: 'replace', path: 'userName', value: '\ud800' }, /^400 invalidValue userName: lone/],
      [
        { op: 'replace', path: 'userName', value: 'a\u200bb' },
        /^400 invalidValue userName: invisible/,
      ],
      [
        { op: 'replace', path: 'displayName', value: 'a\u202eb' },
        /^400 invalidValue displayName: invisible/,
      ],
      [{ op: 'replace', path: 'name', value: 'x' }, /^400 invalidValue name must be/],
      [{ op: 'replace', path: 'active', value: 1 }, /^400 invalidValue active /],
      [
        {
          op: 'replace',
          path: 'emails',
          value: Array.from({ length: 51 }, () => ({ value: 'x' })),
        },
        /^400 invalidValue emails has more than 50 values/,
      ],
    ]
    for (const [operation, refusal] of refusals) {
      const said = await provider.refused('PATCH', path, patchOf(operation as object))
      expect(said, JSON.stringify(operation)).toMatch(refusal)
    }
    for (const body of [
      {},
      [],
      'null',
      '5',
      { Operations: [] },
      { Operations: {} },
      { schemas: ['x'], Operations: [{ op: 'remove', path: 'externalId' }] },
    ]) {
      const said = await provider.refused('PATCH', path, body)
      expect(said, JSON.stringify(body)).toMatch(/^400 invalidSyntax /)
    }
    expect((await provider.ok(200, 'GET', path)).meta.version).toBe(before.meta.version)
  })

  test('complete bodies of users are also validated', async () => {
    const refused = (body: unknown) => provider.refused('POST', '/Users', body)
    expect(await refused({})).toBe('400 invalidValue userName is required')
    expect(await refused({ userName: null })).toBe('400 invalidValue userName is required')
    expect(await refused({ userName: ['x'] })).toMatch(/^400 invalidValue userName must be/)
    expect(await refused({ userName: 'x', active: 'maybe' })).toMatch(/^400 invalidValue active/)
    expect(await refused({ userName: 'x', emails: ['x'] })).toMatch(/^400 invalidValue emails must/)
    expect(await refused({ userName: 'x', schemas: ['y'] })).toMatch(/^400 invalidSyntax schemas/)
    expect(await refused([])).toMatch(/^400 invalidSyntax The body must be a JSON object/)
    expect(await refused('null')).toMatch(/^400 invalidSyntax/)
    expect(await provider.ok(201, 'POST', '/Users', { USERNAME: 'any-case' })).toMatchObject({
      userName: 'any-case',
    })
  })
})

describe('of a group', () => {
  test('invalid paths are refused', async () => {
    const { id: member } = await provider.user('member')
    const { id } = await provider.group('patched group', [member])
    const path = `/Groups/${id}`
    const refusals: [operation: object, refusal: RegExp][] = [
      [{ op: 'remove', path: 'displayName' }, /^400 mutability /],
      [{ op: 'replace', path: 'displayName', value: '' }, /^400 invalidValue /],
      [{ op: 'remove', path: 'members[display eq "x"]' }, /^400 invalidFilter /],
      [{ op: 'remove', path: 'members[value co "x"]' }, /^400 invalidFilter /],
      [{ op: 'remove', path: 'members[value eq 5]' }, /^400 invalidFilter /],
      [{ op: 'replace', path: `members[value eq "${member}"].display`, value: 'x' }, /^400 muta/],
      [{ op: 'replace', path: `members[value eq "${member}"].value`, value: 'x' }, /^400 muta/],
      [{ op: 'add', path: `members[value eq "${member}"]`, value: [] }, /^400 invalidPath /],
      [{ op: 'replace', path: 'nosuch', value: 'x' }, /^400 invalidPath /],
    ]
    for (const [operation, refusal] of refusals) {
      const said = await provider.refused('PATCH', path, patchOf(operation))
      expect(said, JSON.stringify(operation)).toMatch(refusal)
    }
    expect((await provider.ok(200, 'GET', path)).members).toHaveLength(1)
    await provider.ok(204, 'PATCH', path, patchOf({ op: 'remove', path: 'members' }))
    expect((await provider.ok(200, 'GET', path)).members).toEqual([])
  })

  test('answers with the group to a client that selects attributes', async () => {
    const { id } = await provider.group('answered')
    const answer = await provider.caller.fetch(`/scim/v2/Groups/${id}?attributes=displayName`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/scim+json' },
      body: JSON.stringify(patchOf({ op: 'replace', path: 'displayName', value: 'wanted' })),
    })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ id, displayName: 'wanted' })
  })

  test('with thousands of members is fast, and lists of such groups end early', async () => {
    const now = new Date().toISOString()
    const ids = Array.from({ length: 6_000 }, () => crypto.randomUUID())
    for (let start = 0; start < ids.length; start += 500) {
      const rows = ids.slice(start, start + 500).map((id) => ({
        id,
        silo_id: provider.siloId,
        external_id: id,
        display_name: id,
        user_name_key: id,
        time_created: now,
        time_modified: now,
      }))
      await server.db
        .insertInto('silo_user')
        .values(rows as never)
        .execute()
    }
    const { id } = await provider.group('very many', ids)
    const shown = await provider.ok(200, 'GET', `/Groups/${id}`)
    expect(shown.members).toHaveLength(6_000)
    const remove = ids.slice(0, 1_000).map((value) => ({ value }))
    const patch = patchOf({ op: 'remove', path: 'members', value: remove })
    await provider.ok(204, 'PATCH', `/Groups/${id}`, patch)
    const count = async () =>
      ((await provider.ok(200, 'GET', `/Groups/${id}`)).members as object[]).length
    expect(await count()).toBe(5_000)
    for (let n = 0; n < 4; n++) await provider.group(`many-${n}`, ids)
    const page = await provider.list('/Groups')
    expect(page.itemsPerPage).toBe(page.Resources.length)
    expect(page.itemsPerPage).toBeLessThan(page.totalResults)
    const rest = await provider.list(`/Groups?startIndex=${page.itemsPerPage + 1}`)
    expect(page.itemsPerPage + rest.itemsPerPage).toBe(page.totalResults)
    const names = await provider.list('/Groups?excludedAttributes=members')
    expect(names.itemsPerPage).toBe(names.totalResults)
  })
})

describe('a connection that is cut', () => {
  const headersOf = (size: number) => ({
    ...provider.caller.credentials,
    'content-type': 'application/scim+json',
    'content-length': String(size),
  })

  /** Sends something and closes the connection, without waiting for an answer. */
  const cutAfter = async (cut: ClientRequest, send: (sent: () => void) => void): Promise<void> => {
    const closed = new Promise<void>((resolve) => cut.once('close', resolve))
    cut.on('error', () => {})
    await new Promise<void>(send)
    cut.destroy()
    await closed
  }

  test('in the middle of a body changes nothing', async () => {
    const user = await provider.user('cut short')
    const body = JSON.stringify(
      patchOf({ op: 'replace', value: { active: false, displayName: 'x'.repeat(500) } }),
    )
    const { hostname, port } = new URL(provider.caller.url)
    const cut = request({
      hostname,
      port,
      method: 'PATCH',
      path: `/scim/v2/Users/${user.id}`,
      headers: headersOf(body.length),
    })
    await cutAfter(cut, (sent) => cut.write(body.slice(0, 100), sent))
    const { meta } = await provider.ok(200, 'GET', `/Users/${user.id}`)
    expect(meta.version).toBe(user.meta.version)
  })

  test('before the answer leaves all of the change, or nothing', async () => {
    const users = await Promise.all(Array.from({ length: 20 }, (_, n) => provider.user(`cut-${n}`)))
    const { id } = await provider.group('cut off')
    const body = JSON.stringify(
      patchOf(
        ...users.map(({ id: value }) => ({ op: 'add', path: 'members', value: [{ value }] })),
        { op: 'replace', path: 'displayName', value: 'whole' },
      ),
    )
    const { hostname, port } = new URL(provider.caller.url)
    const path = `/scim/v2/Groups/${id}`
    const cut = request({ hostname, port, method: 'PATCH', path, headers: headersOf(body.length) })
    await cutAfter(cut, (sent) => cut.end(body, sent))
    // In one query, because the change may be committed between two.
    const left = await server.db
      .selectFrom('silo_group as its')
      .leftJoin('silo_group_membership as member', 'member.group_id', 'its.id')
      .select((eb) => ['its.display_name', eb.fn.count<number | string>('user_id').as('members')])
      .where('its.id', '=', id)
      .groupBy('its.id')
      .executeTakeFirstOrThrow()
    expect(['cut off with 0', 'whole with 20']).toContain(
      `${left.display_name} with ${left.members}`,
    )
  })
})
