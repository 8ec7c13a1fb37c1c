import type { Kind } from './kind.ts'

/**
 * A job belongs to the user who created it. Declared here instead of in `jobs`, because the schemas
 * of jobs list the kinds that jobs act on, and so come after all kinds.
 */
export const job = {
  access: { scope: 'silo', read: ['self'], list: ['self'], create: ['self'], modify: ['self'] },
  parent: 'silo_user',
  reads: ['issue_list', 'job_item_list'],
} as const satisfies Kind
