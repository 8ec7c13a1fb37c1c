import { issueRule } from '../../observability/issues/rules.ts'

export const healthIssues = {
  database_damaged: issueRule<{ finding: string }>({
    severity: 'critical',
    // Damage emits no event.
    about: [],
    sentence: ({ finding }) =>
      `The database is damaged or its disk fails, and should be restored from a backup: ${finding}`,
    ended: () => 'No damage of the database is known any more',
    path: () => '/system/support-bundles',
    next: 'Collect a support bundle',
  }),
}
