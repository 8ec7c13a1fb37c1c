/**
 * A client that creates and deletes networks, pools and users of their addresses, and remembers
 * acknowledged requests.
 */
import { GiB } from '@steading/api/rules'
import { random } from '../../../control-plane/test/support/random.ts'
import { type Api, untilGone } from './workload.ts'

const IN = 'project=work'
const MOST = 6
type Existence = 'there' | 'gone' | 'unknown'

const kinds = {
  vpc: { path: '/v1/vpcs', parent: undefined },
  subnet: { path: '/v1/vpc-subnets', parent: 'vpc' },
  router: { path: '/v1/vpc-routers', parent: 'vpc' },
  route: { path: '/v1/vpc-router-routes', parent: 'router' },
  gateway: { path: '/v1/internet-gateways', parent: 'vpc' },
  pool: { path: '/v1/system/ip-pools', parent: undefined },
  address: { path: '/v1/floating-ips', parent: undefined },
  block: { path: '/v1/external-subnets', parent: undefined },
  nic: { path: '/v1/network-interfaces', parent: undefined },
} as const
type Kind = keyof typeof kinds
const kindNames = Object.keys(kinds) as Kind[]

interface Thing {
  kind: Kind
  name: string
  parent?: Thing
  exists: Existence
}

const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]

export class NetworkWorker {
  readonly #name: string
  readonly #acknowledged: () => void
  readonly #things: Thing[] = []
  readonly #vpc: Thing = { kind: 'vpc', name: 'default', exists: 'there' }
  #count = 0

  constructor(name: string, acknowledged: () => void) {
    this.#name = name
    this.#acknowledged = acknowledged
  }

  get #box(): string {
    return `box-${this.#name}`
  }

  /** Creates the instance with interfaces and addresses, and the pool of external subnets. */
  async prepare(api: Api): Promise<void> {
    const expectMade = async (made: Promise<{ status: number }>) => {
      const { status } = await made
      if (status !== 201) throw new Error(`preparing networks answered ${status}`)
    }
    const name = this.#box
    await expectMade(
      api('POST', `/v1/instances?${IN}`, {
        name,
        description: '',
        hostname: name,
        ncpus: 1,
        memory: GiB,
        start: false,
      }),
    )
    const pools = '/v1/system/subnet-pools'
    await expectMade(api('POST', pools, { name, description: '', ip_version: 'v4' }))
    const subnet = { subnet: `203.0.${this.#name.slice(1)}.0/26` }
    await expectMade(api('POST', `${pools}/${name}/members/add`, subnet))
    await expectMade(api('POST', `${pools}/${name}/silos`, { silo: 'main', is_default: false }))
  }

  /** Works until a request fails because the server is gone. */
  async work(api: Api): Promise<void> {
    await untilGone(api, (failing) => this.#step(failing))
  }

  #there(kind: Kind): Thing[] {
    return this.#things.filter((one) => one.kind === kind && isThere(one))
  }

  async #step(api: Api): Promise<void> {
    const kind = pick(kindNames)!
    const there = this.#there(kind)
    const action = random()
    if (there.length < MOST && (there.length === 0 || action < 0.5)) return this.#create(api, kind)
    const thing = pick(there)!
    if (action < 0.75) return this.#change(api, thing)
    return this.#delete(api, thing)
  }

  async #create(api: Api, kind: Kind): Promise<void> {
    const { parent: above } = kinds[kind]
    const vpcs = [this.#vpc, ...this.#there('vpc')]
    const parent = above === 'vpc' ? pick(vpcs) : above ? pick(this.#there(above)) : undefined
    if (above && !parent) return
    const thing: Thing = { kind, name: `${this.#name}-${this.#count++}`, parent, exists: 'unknown' }
    const body = this.#bodyOf(thing)
    if (!body) return
    this.#things.push(thing)
    const { status } = await api('POST', `${kinds[kind].path}?${placeOf(thing, this.#box)}`, body)
    // The server may have died before the pool of an address was linked to the silo.
    const expected = [201, 400, 507, ...(kind === 'address' ? [404] : [])]
    if (!expected.includes(status)) {
      throw new Error(`creating a ${kind} answered ${status}`)
    }
    this.#acknowledged()
    thing.exists = status === 201 ? 'there' : 'gone'
    if (kind === 'pool' && status === 201) await this.#change(api, thing)
  }

  #bodyOf({ kind, name }: Thing): object | undefined {
    const named = { name, description: '' }
    const number = this.#count
    const subnet = pick(this.#there('subnet').filter(({ parent }) => parent === this.#vpc))
    const pool = pick(this.#there('pool'))
    const fromPool = { type: 'auto', pool_selector: { type: 'explicit', pool: pool?.name } }
    const bodies: Record<Kind, object | undefined> = {
      vpc: { ...named, dns_name: name },
      subnet: { ...named, ipv4_block: `10.${number >> 8}.${number & 255}.0/24` },
      router: named,
      route: {
        ...named,
        destination: { type: 'ip_net', value: '192.168.0.0/16' },
        target: { type: 'drop' },
      },
      gateway: named,
      pool: named,
      address: pool && { ...named, address_allocator: fromPool },
      block: {
        ...named,
        allocator: {
          type: 'auto',
          prefix_length: 28 + (number % 3),
          pool_selector: { type: 'explicit', pool: this.#box },
        },
      },
      nic: subnet && {
        ...named,
        vpc_name: 'default',
        subnet_name: subnet.name,
        ip_config: { type: 'v4', value: { ip: { type: 'auto' }, transit_ips: [] } },
      },
    }
    return bodies[kind]
  }

  /** Changes a part of a thing, without remembering the result. */
  async #change(api: Api, { kind, name }: Thing): Promise<void> {
    const path = kinds[kind].path
    const calls: Partial<Record<Kind, () => ReturnType<Api>>> = {
      pool: async () => {
        await api('POST', `${path}/${name}/silos`, { silo: 'main', is_default: false })
        const net = `198.18.${this.#count % 256}`
        const verb = random() < 0.7 ? 'add' : 'remove'
        return api('POST', `${path}/${name}/ranges/${verb}`, {
          first: `${net}.1`,
          last: `${net}.4`,
        })
      },
      address: () =>
        random() < 0.5
          ? api('POST', `${path}/${name}/attach?${IN}`, { kind: 'instance', parent: this.#box })
          : api('POST', `${path}/${name}/detach?${IN}`),
      block: () =>
        random() < 0.5
          ? api('POST', `${path}/${name}/attach?${IN}`, { instance: this.#box })
          : api('POST', `${path}/${name}/detach?${IN}`),
    }
    const { status } = (await calls[kind]?.()) ?? { status: 204 }
    if (status >= 500) throw new Error(`changing a ${kind} answered ${status}`)
    this.#acknowledged()
  }

  async #delete(api: Api, thing: Thing): Promise<void> {
    thing.exists = 'unknown'
    const cascade = thing.kind === 'gateway' ? '&cascade=true' : ''
    const { status } = await api('DELETE', `${pathOf(thing, this.#box)}${cascade}`)
    if (status !== 204 && status !== 400) {
      throw new Error(`deleting a ${thing.kind} answered ${status}`)
    }
    this.#acknowledged()
    thing.exists = status === 204 ? 'gone' : 'there'
  }

  /** Acknowledged changes that do not hold. */
  async broken(api: Api): Promise<string[]> {
    const found: string[] = []
    for (const thing of this.#things) {
      const { kind, name, exists, parent } = thing
      if (exists === 'unknown' || (parent && !isThere(parent))) continue
      const { status } = await api('GET', pathOf(thing, this.#box))
      if (status !== (exists === 'there' ? 200 : 404)) {
        found.push(`${kind} ${name} should be ${exists}: ${status}`)
      }
    }
    return found
  }
}

const isThere = ({ exists, parent }: Thing): boolean =>
  exists === 'there' && (!parent || isThere(parent))

/** Query with the parent of a thing. */
function placeOf({ kind, parent }: Thing, box: string): string {
  if (kind === 'nic') return `${IN}&instance=${box}`
  if (kind === 'route') return `${IN}&vpc=${parent!.parent!.name}&router=${parent!.name}`
  return parent ? `${IN}&vpc=${parent.name}` : kind === 'pool' ? '' : IN
}

const pathOf = (thing: Thing, box: string): string =>
  `${kinds[thing.kind].path}/${thing.name}?${placeOf(thing, box)}`
