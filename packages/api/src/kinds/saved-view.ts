import type { Kind } from './kind.ts'
import { computing } from '../rules/roles.ts'

/**
 * Saved views. Declared here instead of in `views`, because the schemas of views list the kinds
 * that have lists, and so come after all kinds.
 */
export const saved_view = {
  type: 'view',
  access: { scope: 'silo', read: ['self'], list: ['self'], create: ['self'], modify: ['self'] },
  parent: 'silo_user',
  reads: ['view_list'],
} as const satisfies Kind

/** A view shared in a project, with its own row of the permission matrix. */
export const project_view = {
  type: 'view',
  words: 'shared view',
  access: computing,
  parent: 'project',
  reads: ['view_list'],
} as const satisfies Kind
