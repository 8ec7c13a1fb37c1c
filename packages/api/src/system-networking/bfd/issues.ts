import { issueRule } from '../../observability/issues/rules.ts'

/** Milliseconds that a session may take to come up before it counts as down. */
export const BFD_DOWN_AFTER_MS = 30_000

export const bfdIssues = {
  bfd_session_down: issueRule<{ peer: string; switch: string }>({
    severity: 'critical',
    about: ['bfd_session'],
    sentence: ({ peer, switch: slot }) => `The BFD session of ${slot} with ${peer} is down`,
    ended: ({ peer, switch: slot }) => `The BFD session of ${slot} with ${peer} is no longer down`,
    path: () => '/system/networking/bfd',
    next: 'See the sessions',
  }),
}
