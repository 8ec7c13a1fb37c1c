import { isUuid } from '@steading/api/rules'
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
  private readonly data: Block[] = []
  private readonly resources: Block[] = []
  /** References to resources created in this configuration, by kind and name. */
  private readonly made = new Map<string, string>()

  constructor(findCached: FindCached) {
    this.findCached = findCached
  }

  blocks(): Block[] {
    return [...this.data, ...this.resources]
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text)
  }

  resource(kind: string, name: string, attributes: Block['attributes']): void {
    const label = this.freeLabel(this.resources, kind, name)
    this.resources.push({ type: 'resource', kind, label, attributes })
    this.made.set(`${kind} ${name}`, `${kind}.${label}.id`)
  }

  /** A partial block, for a resource configured elsewhere. */
  change(kind: string, name: string, attributes: Block['attributes']): void {
    const remark = 'Leave everything else as it is.'
    this.resources.push({ type: 'resource', kind, label: labelOf(name), remark, attributes })
    this.note(`Set this in the ${kind} of your configuration${name && ` for “${name}”`}.`)
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
    if (isUuid(nameOrId)) return nameOrId
    const source = sources[kind]
    const made = this.made.get(`${source} ${nameOrId}`)
    return made
      ? new Expression(made)
      : this.read(source, nameOrId, {
          ...(project ? { project_name: project } : {}),
          name: nameOrId,
        })
  }

  /** @param attribute required attribute of the data source */
  read(kind: string, name: string, attributes: Block['attributes'], attribute = 'id'): Hcl {
    const same = (block: Block) =>
      block.kind === kind && JSON.stringify(block.attributes) === JSON.stringify(attributes)
    let block = this.data.find(same)
    if (!block) {
      block = { type: 'data', kind, label: this.freeLabel(this.data, kind, name), attributes }
      this.data.push(block)
    }
    return new Expression(`data.${kind}.${block.label}.${attribute}`)
  }

  /** The name of a resource given by its name or ID. */
  nameOf(kind: Kind, nameOrId: string): string {
    return isUuid(nameOrId) ? (this.findCached(kind, nameOrId)?.name ?? nameOrId) : nameOrId
  }

  private freeLabel(blocks: readonly Block[], kind: string, name: string): string {
    const label = labelOf(name)
    const taken = (wanted: string) =>
      blocks.some((block) => block.kind === kind && block.label === wanted)
    let free = label
    for (let count = 2; taken(free); count++) free = `${label}_${count}`
    return free
  }
}
