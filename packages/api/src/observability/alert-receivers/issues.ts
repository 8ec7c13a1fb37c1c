import { counted, inPath, issueRule } from '../issues/rules.ts'

const page = ({ name }: { name: string }) => `/system/alert-receivers/${inPath(name)}`

export const alertReceiverIssues = {
  alert_receiver_failing: issueRule<{ name: string; failed: number }>({
    severity: 'warning',
    about: ['alert_receiver', 'alert_delivery'],
    sentence: ({ name, failed }) =>
      `${counted(failed, 'alert')} could not be delivered to receiver ${name}`,
    ended: ({ name }) => `Alerts are delivered to receiver ${name} again`,
    subject: ({ name }) => `Alert receiver ${name}`,
    path: page,
    next: 'Send a probe',
  }),
}
