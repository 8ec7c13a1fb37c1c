import type { Kind } from './kind.ts'

/** A user's star on a resource. It has the id of the resource. */
export const star = {
  access: { scope: 'silo', read: ['self'], list: ['self'], create: ['self'], modify: ['self'] },
  parent: 'silo_user',
} as const satisfies Kind
