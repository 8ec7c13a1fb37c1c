/** Joins and leaves multicast groups, and starts and stops their instances. */
import { GiB } from '@steading/api/rules'
import { random } from '../../../control-plane/test/support/random.ts'
import { type Api, untilGone } from './workload.ts'

const INSTANCES = ['member-0', 'member-1', 'member-2']
const GROUPS = ['news', 'mesh', '239.1.0.77']
const POOL = 'casts'

type Membership = 'in' | 'out' | 'unknown'

export class GroupsWorker {
  /** Instance and group → last acknowledged membership; unknown once a request was cut off. */
  readonly #members = new Map<string, Membership>()
  readonly #acknowledged: () => void

  constructor(acknowledged: () => void) {
    this.#acknowledged = acknowledged
  }

  /** Creates the instances, and the pool of the groups' addresses. */
  async prepare(api: Api): Promise<void> {
    const must = async (...args: Parameters<Api>) => {
      const { status, body } = await api(...args)
      if (status >= 300) throw new Error(`${args[1]} answered ${status}: ${JSON.stringify(body)}`)
    }
    const path = '/v1/system/ip-pools'
    await must('POST', path, { name: POOL, description: '', pool_type: 'multicast' })
    const range = { first: '239.1.0.0', last: '239.1.0.255' }
    await must('POST', `${path}/${POOL}/ranges/add`, range)
    await must('POST', `${path}/${POOL}/silos`, { silo: 'main', is_default: true })
    for (const name of INSTANCES) {
      await must('POST', '/v1/instances?project=work', {
        name,
        description: '',
        ncpus: 1,
        memory: GiB,
        hostname: name,
      })
    }
  }

  /** Works until a request fails because the server is gone. */
  async work(api: Api): Promise<void> {
    await untilGone(api, (failing) => this.#step(failing))
  }

  async #step(api: Api): Promise<void> {
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
    const [instance, group] = [pick(INSTANCES), pick(GROUPS)]
    if (random() < 0.2) {
      // A refusal because of a transitional state is expected.
      await api('POST', `/v1/instances/${instance}/${pick(['start', 'stop'])}?project=work`)
      return
    }
    const key = `${instance} ${group}`
    const joins = random() < 0.5
    const before = this.#members.get(key) ?? 'out'
    this.#members.set(key, 'unknown')
    const path = `/v1/instances/${instance}/multicast-groups/${group}?project=work`
    const { status, body } = joins ? await api('PUT', path, {}) : await api('DELETE', path)
    const isExpected = joins ? status === 201 : status === 204 || status === 404
    if (!isExpected) throw new Error(`${key} answered ${status}: ${JSON.stringify(body)}`)
    if (status === 404 && before === 'in') throw new Error(`${key} was acknowledged and is gone`)
    this.#members.set(key, joins ? 'in' : 'out')
    this.#acknowledged()
  }

  /** Acknowledged changes that do not hold. */
  async broken(api: Api): Promise<string[]> {
    const wrong: string[] = []
    for (const [key, membership] of this.#members) {
      const [instance, group] = key.split(' ')
      const { status, body } = await api('GET', `/v1/multicast-groups/${group}`)
      const groupId = status === 200 ? body.id : undefined
      const path = `/v1/instances/${instance}/multicast-groups?project=work`
      const { items } = (await api('GET', path)).body
      const is = items.some((one: any) => one.multicast_group_id === groupId)
      if (membership !== 'unknown' && is !== (membership === 'in')) {
        wrong.push(`${key} should be ${membership} and is not`)
      }
    }
    return wrong
  }
}
