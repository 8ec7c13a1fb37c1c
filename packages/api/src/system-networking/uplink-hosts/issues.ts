import { issueRule } from '../../observability/issues/rules.ts'

interface OfHost {
  host: string
  problem: string
}
const path = () => '/system/networking/switch-ports'
const next = 'See the switch ports'

export const uplinkHostIssues = {
  uplink_host_behind: issueRule<OfHost>({
    severity: 'critical',
    // A host that does not answer emits no event.
    about: [],
    sentence: ({ host, problem }) =>
      `Uplink host ${host} does not get its configuration: ${problem}`,
    ended: ({ host }) => `Uplink host ${host} gets its configuration again`,
    path,
    next,
  }),
  uplink_part_left_out: issueRule<OfHost>({
    severity: 'warning',
    about: [],
    sentence: ({ host, problem }) => `On uplink host ${host}, ${problem}`,
    ended: ({ host }) => `Uplink host ${host} has nothing left out any more`,
    path,
    next,
  }),
}
