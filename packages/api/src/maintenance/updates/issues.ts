import { issueRule } from '../../observability/issues/rules.ts'

export const updateIssues = {
  update_stuck: issueRule<{ version: string; problem: string }>({
    severity: 'critical',
    about: ['system_update'],
    sentence: ({ version, problem }) => `The update to ${version} is stuck: ${problem}`,
    ended: ({ version }) => `The update to ${version} is no longer stuck`,
    path: () => '/system/update',
    next: 'See the update',
  }),
}
