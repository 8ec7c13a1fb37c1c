import { computing } from '../../rules/roles.ts'
import type { Kind } from '../../kinds/kind.ts'

/** An image on its way from a URL into a project. */
export const image_download = {
  access: computing,
  parent: 'project',
} as const satisfies Kind
