/**
 * What needs the attention of operators. Each kind of issue is declared in `issues.ts` of the folder
 * of what it is about; the control plane finds those that there are.
 */

/** The worst first: of something that does not work, and of something that soon will not. */
export const issueSeverities = ['critical', 'warning'] as const
export type IssueSeverity = (typeof issueSeverities)[number]

/**
 * A kind of issue.
 * @typeParam Facts what its sentence and its place are made of
 */
export interface IssueRule<Facts> {
  severity: IssueSeverity
  /** Kinds of things whose changes can begin or end it; their `reads` have `issue_list`. */
  about: readonly string[]
  sentence: (facts: Facts) => string
  /** Where the console shows it: a path. */
  path: (facts: Facts) => string
  /** What can be done next, as the words of a link to that place. */
  next?: string
}

export const issueRule = <Facts>(rule: IssueRule<Facts>): IssueRule<Facts> => rule

/** A part of an address of the console. */
export const inPath = (text: string): string => encodeURIComponent(text)

/** How many issues of a kind are told at most. */
export const ISSUES_OF_A_KIND = 50

/** `2 sleds`, `1 sled`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`
