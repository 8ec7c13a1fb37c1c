import { ListedKind, ResourceReference } from '../find/schemas.ts'
import { list, record, uuid } from '../../schema.ts'
import { usual } from '../../kinds/usual.ts'

const StarCreate = record('StarCreate', { kind: ListedKind, id: uuid })
const Stars = record('Stars', { items: list(ResourceReference) })

/** A star is visible only to the user who set it. */
export const starOperations = usual('star', {
  path: '/x/v1/stars/{thing}',
  params: { thing: uuid },
  permission: 'session',
})({
  star_list: {
    summary: "List the caller's starred resources, newest star first",
    answer: Stars,
  },
  star_create: {
    summary: 'Star a resource; no effect if it is starred already',
    body: StarCreate,
    answer: ResourceReference,
  },
  star_delete: { summary: 'Remove the star of a resource' },
})
