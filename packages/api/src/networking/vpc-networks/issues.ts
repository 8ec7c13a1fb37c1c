import { issueRule } from '../../observability/issues/rules.ts'
import { networkFaults, type SilentCenter } from './rules.ts'

export const vpcNetworkIssues = {
  network_center_silent: issueRule<{ part: SilentCenter }>({
    severity: 'critical',
    // Who does not answer emits no event.
    about: [],
    sentence: ({ part }) => networkFaults.center[part],
    ended: () => 'Networks follow changes again',
    path: () => '/system/control-plane',
    next: 'See the state of networks',
  }),
  network_host_silent: issueRule<{ host: string }>({
    severity: 'critical',
    about: [],
    sentence: ({ host }) => networkFaults.host(host),
    ended: ({ host }) => `The networks of host ${host} follow changes again, or it is gone`,
    path: () => '/system/control-plane',
    next: 'See the state of networks',
  }),
}
