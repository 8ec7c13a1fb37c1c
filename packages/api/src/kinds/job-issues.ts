import { counted, inPath, issueRule } from '../observability/issues/rules.ts'

export const jobIssues = {
  job_failed: issueRule<{ id: string; action: string; things: string; failed: number }>({
    severity: 'warning',
    about: ['job'],
    sentence: ({ action, things, failed }) =>
      `Your job to ${action} ${things} has failed for ${counted(failed, 'item')}`,
    path: ({ id }) => `/jobs?job=${inPath(id)}`,
    next: 'Retry or dismiss it',
  }),
}
