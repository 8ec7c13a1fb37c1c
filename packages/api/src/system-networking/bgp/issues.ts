import { issueRule } from '../../observability/issues/rules.ts'

/** Milliseconds that a session may take to come up before it counts as down. */
export const PEER_DOWN_AFTER_MS = 30_000

export const bgpIssues = {
  bgp_peer_down: issueRule<{ address: string; switch: string; state: string }>({
    severity: 'critical',
    about: ['bgp_config'],
    sentence: ({ address, switch: slot, state }) =>
      `The BGP session of ${slot} with ${address} is down (${state.replaceAll('_', ' ')})`,
    ended: ({ address, switch: slot }) =>
      `The BGP session of ${slot} with ${address} is no longer down`,
    path: () => '/system/networking/bgp-peers',
    next: 'See its messages',
  }),
}
