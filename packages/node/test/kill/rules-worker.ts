/** Replaces all firewall rules of a VPC, and remembers the acknowledged set. */
import { type Api, untilGone } from './workload.ts'

const PATH = '/v1/vpc-firewall-rules?project=work&vpc=default'
/** Too many rules to be written by one statement. */
const RULES = 600

const rule = (name: string) => ({
  name,
  description: '',
  status: 'enabled',
  direction: 'inbound',
  action: 'allow',
  priority: 1,
  targets: [{ type: 'vpc', value: 'default' }],
  filters: {},
})

/** Set of a rule; the default rules are the first set. */
const setOf = (name: string): number => Number(/^set-(\d+)-/.exec(name)?.[1] ?? 0)

export class RulesWorker {
  /** Number of the last acknowledged set. The next set may be there instead. */
  #last = 0
  #sent = 0
  /** Unexpected sets. */
  readonly wrong: string[] = []
  readonly #acknowledged: () => void

  constructor(acknowledged: () => void) {
    this.#acknowledged = acknowledged
  }

  /** Works until a request fails because the server is gone. */
  async work(api: Api): Promise<void> {
    let isKnown = false
    await untilGone(api, async (failing) => {
      const next = isKnown ? () => this.#replace(failing) : () => this.look(failing)
      // A call that is cut off or given up leaves open what the rules are.
      isKnown = false
      await next()
      isKnown = true
    })
  }

  async #replace(api: Api): Promise<void> {
    const set = ++this.#sent
    const rules = Array.from({ length: RULES }, (_, index) => rule(`set-${set}-rule-${index}`))
    const { status } = await api('PUT', PATH, { rules })
    if (status !== 200) throw new Error(`replacing the rules answered ${status}`)
    this.#last = set
    this.#acknowledged()
  }

  /** After a kill, there are all rules of the acknowledged set, or all of the next one. */
  async look(api: Api): Promise<void> {
    const { body } = await api('GET', PATH)
    const names: string[] = body.rules.map(({ name }: { name: string }) => name)
    const found = [...new Set(names.map(setOf))]
    const isWhole = names.length === RULES || found[0] === 0
    const isKnown = found[0] === this.#last || found[0] === this.#sent
    if (found.length !== 1 || !isWhole || !isKnown) {
      this.wrong.push(`${names.length} rules of the sets ${found.join()} after ${this.#last}`)
    }
    this.#last = found[0] ?? this.#last
    await this.#lookAtVersions(api, names)
  }

  /** No change is without its version, and no version without its change. */
  async #lookAtVersions(api: Api, names: readonly string[]): Promise<void> {
    const { body: vpc } = await api('GET', '/v1/vpcs/default?project=work')
    const path = `/x/v1/setting-versions/firewall_rules/${vpc.id}`
    const [newest] = (await api('GET', path)).body.items
    if (!newest) {
      if (this.#last !== 0) this.wrong.push('rules without a version')
      return
    }
    const { body } = await api('GET', `${path}/${newest.version}`)
    const stored: string[] = body.items.map(({ key }: { key: string }) => key)
    if (stored.toSorted().join() !== [...names].toSorted().join()) {
      this.wrong.push(`version ${newest.version} has the rules of the set ${setOf(stored[0]!)}`)
    }
  }
}
