/** Acknowledged SCIM changes survive a kill, and no call is half done. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { random } from '../../../control-plane/test/support/random.ts'
import { migratedDirectory, signIn } from '../support/process.ts'
import { startHost } from './host-process.ts'
import { client } from './workload.ts'

const KILLS = Number(process.env.KILLS ?? 4)
/** Maximum delay of a kill after a step was sent; a step takes about as long. */
const MOMENT_MS = 12
const STEPS_BEFORE_KILL = 6

/** Users by name, and one group. */
interface Model {
  active: Record<string, boolean>
  displayName: string
  members: string[]
}
type Ids = Record<string, string>
interface Step {
  after: Model
  call: [method: string, path: string, body?: object]
}

const patch = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
})
const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!

let made = 0
/** A next step of a provider, and the state after it. */
function nextStep({ active, displayName, members }: Model, ids: Ids, groupId: string): Step {
  const names = Object.keys(active)
  const name = oneOf(names)
  const without = members.filter((each) => each !== name)
  const kind = names.length < 3 ? 'create' : oneOf(['create', 'delete', 'switch', 'group', 'group'])
  if (kind === 'create') {
    const userName = `user-${made++}`
    return {
      after: { active: { ...active, [userName]: true }, displayName, members },
      call: ['POST', '/Users', { userName, active: true }],
    }
  }
  if (kind === 'delete') {
    const { [name]: _, ...others } = active
    return {
      after: { active: others, displayName, members: without },
      call: ['DELETE', `/Users/${ids[name]}`],
    }
  }
  if (kind === 'switch') {
    const value = !active[name]
    return {
      after: {
        active: { ...active, [name]: value },
        displayName,
        // A deactivated user leaves all groups.
        members: active[name] ? without : members,
      },
      call: ['PATCH', `/Users/${ids[name]}`, patch({ op: 'replace', path: 'active', value })],
    }
  }
  const chosen = names.filter(() => random() < 0.5).toSorted()
  const title = `crew ${made++}`
  return {
    after: { active, displayName: title, members: chosen },
    call: [
      'PATCH',
      `/Groups/${groupId}`,
      patch(
        { op: 'replace', path: 'displayName', value: title },
        { op: 'replace', path: 'members', value: chosen.map((each) => ({ value: ids[each] })) },
      ),
    ],
  }
}

test(
  `after each of ${KILLS} kills, users and groups are as before or after the call`,
  { timeout: 200_000 + KILLS * 30_000 },
  async () => {
    const data = migratedDirectory()
    let host = await startHost(data)
    const admin = client(host.url, await signIn(host.url))
    await admin('POST', '/v1/system/silos', {
      name: 'corp',
      description: '',
      identity_mode: 'saml_scim',
      discoverable: true,
      quotas: { cpus: 1, memory: 0, storage: 0 },
      tls_certificates: [],
    })
    const { body } = await admin('POST', '/v1/system/scim/tokens?silo=corp')
    const { bearer_token: token } = body as { bearer_token: string }
    const send = async (method: string, path: string, content?: object): Promise<unknown> => {
      const response = await fetch(`${host!.url}/scim/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
        body: content && JSON.stringify(content),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return text && JSON.parse(text)
    }
    const { id: groupId } = (await send('POST', '/Groups', {
      displayName: 'crew',
      members: [],
    })) as {
      id: string
    }
    let ids: Ids = {}
    const shown = async (): Promise<Model> => {
      type Shown = { id: string; userName: string; active: boolean }
      const users = (await send('GET', '/Users')) as { Resources: Shown[] }
      const group = (await send('GET', `/Groups/${groupId}`)) as {
        displayName: string
        members: { value: string }[]
      }
      ids = Object.fromEntries(users.Resources.map(({ id, userName }) => [userName, id]))
      const nameOf = Object.fromEntries(users.Resources.map(({ id, userName }) => [id, userName]))
      return {
        active: Object.fromEntries(
          users.Resources.map(({ userName, active }) => [userName, active]),
        ),
        displayName: group.displayName,
        members: group.members.map(({ value }) => nameOf[value]!).toSorted(),
      }
    }

    let model = await shown()
    for (let kill = 1; kill <= KILLS; kill++) {
      for (let steps = Math.ceil(random() * STEPS_BEFORE_KILL); steps > 0; steps--) {
        const { after, call } = nextStep(model, ids, groupId)
        await send(...call)
        model = after
        // A created user has an id.
        expect(await shown()).toEqual(model)
      }
      const { after, call } = nextStep(model, ids, groupId)
      const answered = send(...call).then(
        () => true,
        () => false,
      )
      await pause(random() * MOMENT_MS)
      await host.kill()
      const possible = (await answered) ? [after] : [model, after]
      host = await startHost(data)
      model = await shown()
      expect(possible).toContainEqual(model)
    }
  },
)
