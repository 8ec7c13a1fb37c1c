/** Concurrent SCIM requests, to one server or two. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { createProvider, patchOf, type Provider } from '../support/scim.ts'

let server: TestServer
let provider: Provider
beforeAll(async () => {
  server = await startTestServer()
  provider = await createProvider(server)
})
afterAll(() => server.close())

describe('concurrently', () => {
  test('only one of two users gets a name', async () => {
    const tries = ['Race', 'race', 'RACE', 'rAcE'].map((userName) =>
      provider.send('POST', '/Users', { userName }),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, 409, 409, 409])
  })

  test("no client loses the other's addition", async () => {
    const users = await Promise.all(
      Array.from({ length: 12 }, (_, n) => provider.user(`racer-${n}`)),
    )
    const { id } = await provider.group('races')
    const added = users.map(({ id: value }) =>
      provider.ok(204, 'PATCH', `/Groups/${id}`, patchOf({ op: 'add', path: 'members', value })),
    )
    await Promise.all(added)
    expect((await provider.ok(200, 'GET', `/Groups/${id}`)).members).toHaveLength(12)
  })

  test('a group has no member left whose user was deleted meanwhile', async () => {
    const { id: groupId } = await provider.group('unlucky')
    for (let n = 0; n < 5; n++) {
      const { id } = await provider.user(`unlucky-${n}`)
      const add = patchOf({ op: 'add', path: 'members', value: [{ value: id }] })
      await Promise.all([
        provider.send('PATCH', `/Groups/${groupId}`, add),
        provider.ok(204, 'DELETE', `/Users/${id}`),
      ])
    }
    expect((await provider.ok(200, 'GET', `/Groups/${groupId}`)).members).toEqual([])
    const rows = await server.db
      .selectFrom('silo_group_membership')
      .selectAll()
      .where('group_id', '=', groupId)
      .execute()
    expect(rows).toEqual([])
  })
})
