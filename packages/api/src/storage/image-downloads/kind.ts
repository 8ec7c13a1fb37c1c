import { computing } from '../../rules/roles.ts'
import type { Kind } from '../../kinds/kind.ts'

/** An image on its way from a URL into a project. */
export const image_download = {
  access: computing,
  parent: 'project',
  reads: ['image_download_list', 'image_download_view'],
} as const satisfies Kind
