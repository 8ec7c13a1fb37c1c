import { counted, inPath, issueRule } from '../../observability/issues/rules.ts'

type Sled = { id: string; serial: string }
const page = ({ id }: Pick<Sled, 'id'>) => `/system/inventory/sleds/${inPath(id)}/instances`

export const sledIssues = {
  sled_not_responding: issueRule<Sled>({
    severity: 'critical',
    about: ['sled'],
    sentence: ({ serial }) => `Sled ${serial} does not respond`,
    ended: ({ serial }) => `Sled ${serial} is no longer unresponsive`,
    path: page,
    next: 'Restore or expunge it',
  }),
  sled_expunged: issueRule<Sled>({
    severity: 'warning',
    about: ['sled'],
    sentence: ({ serial }) => `Sled ${serial} is expunged, and not decommissioned yet`,
    ended: ({ serial }) => `Sled ${serial} was decommissioned`,
    path: page,
    next: 'See its remaining contents',
  }),
  sled_maintenance_overdue: issueRule<Sled & { reason: string }>({
    severity: 'warning',
    about: ['sled'],
    sentence: ({ serial, reason }) =>
      `The maintenance of sled ${serial} lasts longer than expected: ${reason}`,
    ended: ({ serial }) => `The maintenance of sled ${serial} is no longer overdue`,
    path: page,
    next: 'End it, or set a later end',
  }),
  sleds_waiting: issueRule<{ count: number }>({
    severity: 'warning',
    about: ['rack', 'sled'],
    sentence: ({ count }) =>
      `${counted(count, 'sled')} ${count === 1 ? 'is' : 'are'} waiting to be added`,
    ended: () => 'No sled is waiting to be added any more',
    path: () => '/system/inventory/waiting',
    next: 'Add to the rack',
  }),
}
