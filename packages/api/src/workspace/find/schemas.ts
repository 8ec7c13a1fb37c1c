import { kindsWithinProject, listedKinds } from '../../kinds/index.ts'
import { array, Name, named, oneOf, record, string, uuid } from '../../schema.ts'

export const ListedKind = named('ListedKind', oneOf(...listedKinds))

const KindAbove = oneOf(...new Set<string>(listedKinds.flatMap((kind) => kindsWithinProject(kind))))

const thing = {
  kind: ListedKind,
  id: uuid,
  name: Name,
  /** The project that it is in; null for things of the silo and of the caller. */
  project_id: uuid.nullable(),
  project_name: Name.nullable(),
  /** What it is inside of below its project, the outermost first: the VPC and the router of a route. */
  inside: array(record('ThingAbove', { kind: KindAbove, id: uuid, name: Name })),
}

/** A thing of any kind, and where it is. */
export const ThingReference = record('ThingReference', thing)

export const FoundThing = record('FoundThing', {
  ...thing,
  /** What the text is, or begins. */
  matched: oneOf('name', 'id', 'address'),
  /** The address by which it was found. */
  address: string.nullable(),
})

export const FoundThings = record('FoundThings', { items: array(FoundThing) })
