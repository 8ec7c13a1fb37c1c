import { ListedKind, ResourceReference } from '../find/schemas.ts'
import { array, record, uuid } from '../../schema.ts'

export const StarCreate = record('StarCreate', { kind: ListedKind, id: uuid })
export const Stars = record('Stars', { items: array(ResourceReference) })
