import { kindsAround, listedKinds } from '../../kinds/index.ts'
import { list, Name, named, oneOf, record, string, uuid } from '../../schema.ts'

export const ListedKind = named('ListedKind', oneOf(...listedKinds))

const KindAbove = oneOf(...new Set<string>(listedKinds.flatMap((kind) => kindsAround(kind))))

const thing = {
  kind: ListedKind,
  id: uuid,
  name: Name,
  /** Project of the resource; null for resources of the silo and of the caller. */
  project_id: uuid.nullable(),
  project_name: Name.nullable(),
  /**
   * Containers below the project, outermost first: the VPC and the router of a route. For an identity
   * provider, its silo.
   */
  inside: list(record('ContainerReference', { kind: KindAbove, id: uuid, name: Name })),
}

/** A resource of any kind with its location. */
export const ResourceReference = record('ResourceReference', thing)

export const FoundResource = record('FoundResource', {
  ...thing,
  /** Field that the text matches, or is a prefix of. */
  matched: oneOf('name', 'id', 'address', 'tag'),
  /** Matching address. */
  address: string.nullable(),
})

export const FoundResources = record('FoundResources', { items: list(FoundResource) })
