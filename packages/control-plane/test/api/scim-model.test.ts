/**
 * Random calls of an identity provider, compared with a small model: users, active users, members
 * of groups, and taken names.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { createProvider, patchOf, type Provider } from '../support/scim.ts'
import { long } from '../support/long.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

interface ModelUser {
  userName: string
  active: boolean
}
interface ModelGroup {
  displayName: string
  members: Set<string>
}
interface Model {
  users: Map<string, ModelUser>
  groups: Map<string, ModelGroup>
}

/** The provider's next step; numbers select from the existing things. */
interface Step {
  what:
    | 'create user'
    | 'rename user'
    | 'replace user'
    | 'switch user'
    | 'delete user'
    | 'create group'
    | 'rename group'
    | 'replace group'
    | 'add members'
    | 'remove members'
    | 'set members'
    | 'mixed members'
    | 'delete group'
  which: number
  name: string
  members: number[]
  flag: boolean
}
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom<Step['what'][]>(
    'create user',
    'create user',
    'rename user',
    'replace user',
    'switch user',
    'delete user',
    'create group',
    'rename group',
    'replace group',
    'add members',
    'remove members',
    'set members',
    'mixed members',
    'delete group',
  ),
  which: fc.nat(9),
  // Few names, so that they conflict.
  name: fc.constantFrom('ann', 'Ann', 'ANN', 'bob', 'Bob', 'cy', 'dee', 'Eve'),
  members: fc.array(fc.nat(9), { maxLength: 4 }),
  flag: fc.boolean(),
})

const pick = <T>(all: readonly T[], index: number): T | undefined =>
  all.length > 0 ? all[index % all.length] : undefined

const isTaken = (names: Iterable<[string, string]>, name: string, own?: string): boolean =>
  [...names].some(([id, each]) => id !== own && each.toLowerCase() === name.toLowerCase())

/** Takes a step on both, and compares the status of the answer. */
async function take(provider: Provider, { users, groups }: Model, chosen: Step): Promise<void> {
  const { what, which, name, flag } = chosen
  const userNames = () => [...users].map(([id, { userName }]): [string, string] => [id, userName])
  const groupNames = () =>
    [...groups].map(([id, { displayName }]): [string, string] => [id, displayName])
  const userId = pick([...users.keys()], which)
  const groupId = pick([...groups.keys()], which)
  const user = users.get(userId ?? '')
  const group = groups.get(groupId ?? '')
  const chosenUsers = [...new Set(chosen.members.flatMap((n) => pick([...users.keys()], n) ?? []))]
  const values = chosenUsers.map((value) => ({ value }))
  const call = async (method: string, path: string, body?: unknown) => {
    const { status, body: answer } = await provider.send(method, path, body)
    return { status, id: (answer as { id?: string } | undefined)?.id ?? '' }
  }
  const patchGroup = (...operations: object[]) =>
    call('PATCH', `/Groups/${groupId}`, patchOf(...operations))
  const leave = (id: string) => {
    for (const { members } of groups.values()) members.delete(id)
  }

  switch (what) {
    case 'create user': {
      const taken = isTaken(userNames(), name)
      const { status, id } = await call('POST', '/Users', { userName: name, active: flag })
      expect(status).toBe(taken ? 409 : 201)
      if (!taken) users.set(id, { userName: name, active: flag })
      return
    }
    case 'rename user':
    case 'replace user': {
      if (!user || !userId) return
      const taken = isTaken(userNames(), name, userId)
      const { status } =
        what === 'rename user'
          ? await call(
              'PATCH',
              `/Users/${userId}`,
              patchOf({ op: 'Replace', path: 'userName', value: name }),
            )
          : await call('PUT', `/Users/${userId}`, { userName: name })
      expect(status).toBe(taken ? 409 : 200)
      if (!taken) user.userName = name
      return
    }
    case 'switch user': {
      if (!user || !userId) return
      const value = { active: flag ? 'True' : 'False' }
      const { status } = await call('PATCH', `/Users/${userId}`, patchOf({ op: 'replace', value }))
      expect(status).toBe(200)
      if (user.active && !flag) leave(userId)
      user.active = flag
      return
    }
    case 'delete user': {
      if (!userId) return
      expect((await call('DELETE', `/Users/${userId}`)).status).toBe(204)
      users.delete(userId)
      leave(userId)
      return
    }
    case 'create group': {
      const taken = isTaken(groupNames(), name)
      const { status, id } = await call('POST', '/Groups', { displayName: name, members: values })
      expect(status).toBe(taken ? 409 : 201)
      if (!taken) groups.set(id, { displayName: name, members: new Set(chosenUsers) })
      return
    }
    case 'rename group':
    case 'replace group': {
      if (!group) return
      const taken = isTaken(groupNames(), name, groupId)
      const isPut = what === 'replace group'
      const { status } = isPut
        ? await call('PUT', `/Groups/${groupId}`, { displayName: name, members: values })
        : await patchGroup({ op: 'replace', value: { displayName: name } })
      expect(status).toBe(taken ? 409 : isPut ? 200 : 204)
      if (taken) return
      group.displayName = name
      if (isPut) group.members = new Set(chosenUsers)
      return
    }
    case 'add members': {
      if (!group) return
      expect((await patchGroup({ op: 'Add', path: 'members', value: values })).status).toBe(204)
      for (const id of chosenUsers) group.members.add(id)
      return
    }
    case 'remove members': {
      if (!group) return
      const operations = chosenUsers.map((id) => ({
        op: 'remove',
        path: `members[value eq "${id}"]`,
      }))
      const whole = { op: 'remove', path: 'members' }
      const { status } = await patchGroup(
        ...(flag || operations.length === 0 ? [whole] : operations),
      )
      expect(status).toBe(204)
      if (flag || operations.length === 0) group.members.clear()
      else for (const id of chosenUsers) group.members.delete(id)
      return
    }
    case 'set members': {
      if (!group) return
      const { status } = await patchGroup({ op: 'replace', path: 'members', value: values })
      expect(status).toBe(204)
      group.members = new Set(chosenUsers)
      return
    }
    case 'mixed members': {
      if (!group) return
      const [first, ...others] = values
      const { status } = await patchGroup(
        ...(flag ? [{ op: 'remove', path: 'members' }] : []),
        { op: 'add', path: 'members', value: values },
        ...(first ? [{ op: 'remove', path: 'members', value: [first] }] : []),
        { op: 'replace', path: 'displayName', value: group.displayName },
      )
      expect(status).toBe(204)
      if (flag) group.members.clear()
      if (first) group.members.delete(first.value)
      for (const { value } of others) group.members.add(value)
      return
    }
    case 'delete group': {
      if (!groupId) return
      expect((await call('DELETE', `/Groups/${groupId}`)).status).toBe(204)
      groups.delete(groupId)
    }
  }
}

/** The state according to the server, in the form of the model. */
async function shown(provider: Provider): Promise<Model> {
  const users = await provider.list('/Users')
  const groups = await provider.list('/Groups')
  const model = {
    users: new Map(
      users.Resources.map(({ id, userName, active }) => [id, { userName, active } as ModelUser]),
    ),
    groups: new Map(
      groups.Resources.map(({ id, displayName, members }): [string, ModelGroup] => [
        id,
        {
          displayName: displayName as string,
          members: new Set((members as { value: string }[]).map(({ value }) => value)),
        },
      ]),
    ),
  }
  // The groups of users match the members of groups.
  for (const { id, groups: of = [] } of users.Resources) {
    expect((of as { value: string }[]).map(({ value }) => value).toSorted()).toEqual(
      [...model.groups]
        .filter(([, { members }]) => members.has(id))
        .map(([group]) => group)
        .toSorted(),
    )
  }
  return model
}

test('any sequence of calls matches the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const provider = await createProvider(server)
      const model: Model = { users: new Map(), groups: new Map() }
      for (const each of steps) await take(provider, model, each)
      expect(await shown(provider)).toEqual(model)
    }),
    { numRuns: long ? 25 : 6 },
  )
})
