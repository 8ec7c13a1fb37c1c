import { inPath, issueRule } from '../../observability/issues/rules.ts'

interface Named {
  id: string
  host: string
}
const page = ({ id }: Named) => `/system/inventory/hosts/${inPath(id)}`

export const hostFencingIssues = {
  host_fencing_failed: issueRule<Named & { problem: string }>({
    severity: 'critical',
    about: ['host'],
    sentence: ({ host, problem }) =>
      `Host ${host} is not proven dead, so its instances do not start elsewhere: ${problem}. It is tried again`,
    ended: ({ host }) => `Host ${host} no longer has to be proven dead`,
    path: page,
    next: 'Switch it off by hand, or correct its fencing method',
  }),
  host_fenced: issueRule<Named & { byLeases: boolean }>({
    severity: 'critical',
    about: ['host'],
    sentence: ({ host, byLeases }) =>
      byLeases
        ? `Host ${host} did not answer, and the leases of its guests have run out`
        : `Host ${host} did not answer, and was switched off`,
    ended: ({ host }) => `Host ${host} is in service again, or was expunged`,
    path: page,
    next: 'Find the cause, and bring it back',
  }),
  host_fencing_untested: issueRule<Named & { problem: string }>({
    severity: 'warning',
    about: ['host'],
    sentence: ({ host, problem }) =>
      `The fencing method of host ${host} does not work: ${problem}. If the host dies, its instances do not start elsewhere`,
    ended: ({ host }) => `The fencing method of host ${host} works again, or was removed`,
    path: page,
    next: 'Correct its fencing method',
  }),
  hosts_silent_at_once: issueRule<{ silent: number; count: number }>({
    severity: 'critical',
    about: ['host', 'sled'],
    sentence: ({ silent, count }) =>
      `${silent} of ${count} hosts do not answer. The server may be the one that is cut off, so none of them is switched off by itself`,
    ended: () => 'Most hosts answer again',
    path: () => '/system/inventory/hosts',
    next: 'Check the network of the server, or fence the hosts by hand',
  }),
}
