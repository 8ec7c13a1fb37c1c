import { ListedKind, ResourceReference } from '../find/schemas.ts'
import { list, record, uuid } from '../../schema.ts'

export const StarCreate = record('StarCreate', { kind: ListedKind, id: uuid })
export const Stars = record('Stars', { items: list(ResourceReference) })
