import type { Row } from '../../../kernel/kinds.ts'
import { placedKinds } from '../../tenancy/projects/placed.ts'

export type ImageRow = Row<'image'>

export const {
  kindOf: imageKind,
  find: lookupImage,
  placeOf: placeOfImages,
} = placedKinds('image', 'silo_image')
