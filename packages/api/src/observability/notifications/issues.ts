import { counted, issueRule } from '../issues/rules.ts'

export const notificationIssues = {
  mail_failing: issueRule<{ count: number; problem: string }>({
    severity: 'warning',
    about: ['notification_subscription', 'project_notification_subscription', 'silo_user'],
    sentence: ({ count, problem }) =>
      `The mail server takes no mail, and ${counted(count, 'mail')} ${count === 1 ? 'waits' : 'wait'}: ${problem}`,
    ended: () => 'The mail server takes mail again',
    path: () => '/system/issues',
  }),
}
