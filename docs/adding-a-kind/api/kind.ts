import type { Kind } from '../../kinds/kind.ts'
import { computing } from '../../rules/roles.ts'

export const widget = {
  access: computing,
  parent: 'project',
  listed: true,
  selectors: {
    both: 'when providing widget as an ID, project should not be specified',
    neither: 'widget should either be an ID or project should be specified',
  },
  bulk: ['delete'],
  deletion: { inProject: 'widget', after: [], along: [] },
} as const satisfies Kind
