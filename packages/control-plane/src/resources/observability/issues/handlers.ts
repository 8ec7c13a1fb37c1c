import type { tables } from '@steading/api'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { allIssues } from '../../../kernel/issues.ts'
import { issueFinders } from './all.ts'

export const issueHandlers: Handlers<typeof tables.issueOperations> = {
  async issue_list(ctx) {
    authorize(ctx, 'fleet', {})
    return allIssues(ctx, issueFinders)
  },
}
