import { counted, issueRule } from '../issues/rules.ts'

export const notificationIssues = {
  mail_failing: issueRule<{ count: number; problem: string }>({
    severity: 'warning',
    about: ['notification_subscription', 'project_notification_subscription'],
    sentence: ({ count, problem }) =>
      `The mail server takes no mail, and ${counted(count, 'subscription')} wait: ${problem}`,
    path: () => '/system/issues',
  }),
}
