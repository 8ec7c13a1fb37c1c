import type { Operation } from '../../operation.ts'
import { Issues } from './schemas.ts'

export const issueOperations = {
  issue_list: {
    method: 'GET',
    path: '/x/v1/issues',
    tags: ['extensions'],
    summary: 'List issues that need an operator',
    permission: { fleet: 'list' },
    live: true,
    success: { status: 200, schema: Issues },
  },
} as const satisfies Record<string, Operation>
