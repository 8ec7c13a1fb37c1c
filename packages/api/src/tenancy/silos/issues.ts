import { inPath, issueRule, type ReadWithin } from '../../observability/issues/rules.ts'

/** Share of a quota in use from which a silo counts as near it. */
export const QUOTA_NEARLY_USED = 0.9

/** Each quota of a silo with the share in use, from 0 to 1. */
type Shares = { what: string; share: number }[]

const percent = (share: number) => `${Math.floor(share * 100)}% of its `

export const siloIssues = {
  silo_near_quota: issueRule<{ name: string; shares: Shares; within?: ReadWithin }>({
    severity: 'warning',
    about: ['silo', 'instance', 'disk', 'snapshot'],
    sentence: ({ name, shares }) =>
      `Silo ${name} uses ${shares
        .map(({ what, share }) => (share >= 1 ? `all of its ${what}` : percent(share) + what))
        .join(' and ')}`,
    ended: ({ name }) => `Silo ${name} is no longer near its quotas`,
    subject: ({ name }) => `Silo ${name}`,
    path: ({ name, within }) => (within ? '/utilization' : `/system/silos/${inPath(name)}/quotas`),
    next: 'Change its quotas',
  }),
}
