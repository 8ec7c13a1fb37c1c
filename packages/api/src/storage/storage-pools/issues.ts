import { inPath, issueRule } from '../../observability/issues/rules.ts'

export const storagePoolIssues = {
  storage_pool_unreachable: issueRule<{ pool: string; problem: string }>({
    severity: 'critical',
    about: ['storage_pool'],
    sentence: ({ pool, problem }) => `Storage pool ${pool} cannot be used. ${problem}`,
    ended: ({ pool }) => `Storage pool ${pool} can be used again, or was removed`,
    path: ({ pool }) => `/system/inventory/storage-pools/${inPath(pool)}`,
    next: 'Mount its file system, and check the pool again',
  }),
}
