import { counted, inPath, issueRule } from '../observability/issues/rules.ts'

interface FailedJob {
  id: string
  /** The action on the targets in words, as of `jobPhrase`. */
  phrase: string
  failed: number
}

export const jobIssues = {
  job_failed: issueRule<FailedJob>({
    severity: 'warning',
    about: ['job'],
    sentence: ({ phrase, failed }) => `Your job to ${phrase} failed for ${counted(failed, 'item')}`,
    ended: ({ phrase }) => `Your job to ${phrase} was retried or dismissed`,
    path: ({ id }) => `/jobs?job=${inPath(id)}`,
    next: 'Retry or dismiss it',
  }),
}
