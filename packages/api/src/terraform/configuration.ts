import { isUuid } from '../rules.ts'
import { Expression, type Block, type Hcl } from './hcl.ts'

/** A cached resource. */
export type CachedResource = { id: string; name: string } & Record<string, unknown>

/** Finds a resource of a kind by its name or ID in the query cache. */
export type FindCached = (kind: Kind, nameOrId: string) => CachedResource | undefined

/** The provider's data sources by kind. */
const sources = {
  project: 'oxide_project',
  disk: 'oxide_disk',
  instance: 'oxide_instance',
  image: 'oxide_image',
  snapshot: 'oxide_snapshot',
  floatingIp: 'oxide_floating_ip',
  externalSubnet: undefined,
  subnetPool: 'oxide_subnet_pool',
  antiAffinityGroup: 'oxide_anti_affinity_group',
  ipPool: 'oxide_ip_pool',
  vpc: 'oxide_vpc',
  vpcSubnet: 'oxide_vpc_subnet',
  vpcRouter: 'oxide_vpc_router',
  routerRoute: 'oxide_vpc_router_route',
  internetGateway: 'oxide_vpc_internet_gateway',
  sshKey: 'oxide_ssh_key',
  silo: 'oxide_silo',
  addressLot: 'oxide_address_lot',
  networkInterface: undefined,
} as const

export type Kind = keyof typeof sources

/** A name as a Terraform label: letters, digits and underscores. */
export function labelOf(name: string): string {
  const label = name.replaceAll(/[^A-Za-z0-9_]/g, '_')
  return /^[A-Za-z_]/.test(label) ? label : label ? `_${label}` : 'example'
}

/** Collects the blocks of a configuration, each resource once. */
export class Configuration {
  readonly findCached: FindCached
  readonly notes: string[] = []
  private data: Block[] = []
  private resources: Block[] = []
  /** References to resources created in this configuration, by kind, container and name. */
  private readonly made = new Map<string, string>()
  /** References to data sources, by kind and attributes. */
  private readonly sources = new Map<string, string>()
  /** References by the ID of the resource. */
  private readonly known = new Map<string, Hcl>()
  private readonly labels = new Set<string>()
  private readonly reserved = new Map<string, string>()
  private container = ''
  private nextRemark: string | undefined

  constructor(findCached: FindCached) {
    this.findCached = findCached
  }

  blocks(): Block[] {
    return [...this.data, ...this.resources]
  }

  /** Returns the blocks since the last call, for a configuration that is printed piece by piece. */
  takeBlocks(): Block[] {
    const blocks = this.blocks()
    this.data = []
    this.resources = []
    return blocks
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text)
  }

  /** A remark in the next resource. */
  remark(text: string | undefined): void {
    this.nextRemark = text
  }

  /** The container of the next resource, in which its name is unique; the project by default. */
  within(container: string): void {
    this.container = container
  }

  /** Refers to a resource with this ID by an expression from now on. */
  refer(id: string, reference: Hcl): void {
    this.known.set(id, reference)
  }

  /** The reference to a resource with this ID, if there is one. */
  referenceTo(id: string): Hcl | undefined {
    return this.known.get(id)
  }

  /** Chooses the label of a resource that is declared later. */
  reserve(kind: string, name: string, container = ''): string {
    const label = this.freeLabel('resource', kind, name)
    this.reserved.set(`${kind} ${container} ${name}`, label)
    this.made.set(`${kind} ${container} ${name}`, `${kind}.${label}`)
    return label
  }

  resource(kind: string, name: string, attributes: Block['attributes']): void {
    const key = `${kind} ${this.container} ${name}`
    const label = this.reserved.get(key) ?? this.freeLabel('resource', kind, name)
    this.resources.push({ type: 'resource', kind, label, remark: this.nextRemark, attributes })
    this.made.set(key, `${kind}.${label}`)
    this.container = ''
    this.nextRemark = undefined
  }

  /** A partial block, for a resource configured elsewhere. */
  change(kind: string, name: string, attributes: Block['attributes']): void {
    const remark = 'Leave everything else as it is.'
    this.resources.push({ type: 'resource', kind, label: labelOf(name), remark, attributes })
    this.note(`Set this in the ${kind} of your configuration${name && ` for “${name}”`}.`)
  }

  /** A reference to a resource of this configuration by its name, if there is one. */
  madeNamed(kind: string, name: string, container = '', attribute = 'id'): Hcl | undefined {
    const made = this.made.get(`${kind} ${container} ${name}`)
    return made === undefined ? undefined : new Expression(`${made}.${attribute}`)
  }

  /**
   * The ID of a resource: literal, a reference within this configuration, or from a data
   * source.
   */
  idOf(
    kind: Exclude<Kind, 'networkInterface' | 'instance' | 'externalSubnet'>,
    nameOrId: string,
    project?: string,
  ): Hcl {
    if (!nameOrId) return null
    if (isUuid(nameOrId)) return this.known.get(nameOrId) ?? nameOrId
    const source = sources[kind]
    return (
      this.madeNamed(source, nameOrId) ??
      this.read(source, nameOrId, {
        ...(project ? { project_name: project } : {}),
        name: nameOrId,
      })
    )
  }

  /** @param attribute required attribute of the data source */
  read(kind: string, name: string, attributes: Block['attributes'], attribute = 'id'): Hcl {
    return new Expression(`${this.source(kind, name, attributes)}.${attribute}`)
  }

  /** Reads a resource that exists anyway, as if this configuration had made it. */
  readAsMade(kind: string, name: string, container: string, attributes: Block['attributes']): Hcl {
    const label = container === '' ? name : `${container}-${name}`
    this.made.set(`${kind} ${container} ${name}`, this.source(kind, label, attributes))
    return this.madeNamed(kind, name, container)!
  }

  private source(kind: string, name: string, attributes: Block['attributes']): string {
    const key = `${kind} ${JSON.stringify(attributes)}`
    const known = this.sources.get(key)
    if (known !== undefined) return known
    const label = this.freeLabel('data', kind, name)
    this.data.push({ type: 'data', kind, label, attributes })
    this.sources.set(key, `data.${kind}.${label}`)
    return `data.${kind}.${label}`
  }

  /** The name of a resource given by its name or ID. */
  nameOf(kind: Kind, nameOrId: string): string {
    return isUuid(nameOrId) ? (this.findCached(kind, nameOrId)?.name ?? nameOrId) : nameOrId
  }

  private freeLabel(type: Block['type'], kind: string, name: string): string {
    const label = labelOf(name)
    let free = label
    for (let count = 2; this.labels.has(`${type} ${kind} ${free}`); count++)
      free = `${label}_${count}`
    this.labels.add(`${type} ${kind} ${free}`)
    return free
  }
}
