import type { Kind } from './kind.ts'

/**
 * A user's dismissal of the first steps in a project, a silo or the fleet. It has the id of that
 * place.
 */
export const dismissal = {
  access: { scope: 'silo', read: ['self'], list: ['self'], create: ['self'], modify: ['self'] },
  parent: 'silo_user',
  reads: ['project_overview'],
} as const satisfies Kind
