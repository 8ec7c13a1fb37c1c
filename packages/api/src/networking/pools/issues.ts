import { counted, inPath, issueRule, type IssueRule } from '../../observability/issues/rules.ts'

export interface PoolFilling {
  name: string
  /** Free addresses. */
  left: bigint
  capacity: bigint
}

const number = new Intl.NumberFormat('en-US')

/**
 * The two issues of one kind of pool.
 * @param about the pools, and their consumers
 */
export const fillingIssues = (
  words: string,
  about: readonly string[],
  path: (name: string) => string,
  next: string,
): { full: IssueRule<PoolFilling>; nearlyFull: IssueRule<PoolFilling> } => ({
  full: issueRule<PoolFilling>({
    severity: 'critical',
    about,
    sentence: ({ name }) => `${words} ${name} is full`,
    ended: ({ name }) => `${words} ${name} has free addresses again`,
    subject: ({ name }) => `${words} ${name}`,
    path: ({ name }) => path(inPath(name)),
    next,
  }),
  nearlyFull: issueRule<PoolFilling>({
    severity: 'warning',
    about,
    sentence: ({ name, left, capacity }) =>
      `${words} ${name} is nearly full: ${number.format(left)} of ${counted(Number(capacity), 'address', 'addresses')} ${left === 1n ? 'is' : 'are'} left`,
    ended: ({ name }) => `${words} ${name} is no longer nearly full`,
    subject: ({ name }) => `${words} ${name}`,
    path: ({ name }) => path(inPath(name)),
    next,
  }),
})
