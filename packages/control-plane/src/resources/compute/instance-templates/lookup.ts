import type { Row } from '../../../kernel/kinds.ts'
import { placedKinds } from '../../tenancy/projects/placed.ts'

export type TemplateRow = Row<'instance_template'>

export const {
  kindOf: templateKind,
  find: lookupTemplate,
  placeOf: placeOfTemplates,
} = placedKinds('instance_template', 'silo_instance_template')
