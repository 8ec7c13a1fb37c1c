/**
 * Issues: problems that need an operator. Each kind is declared in `issues.ts` of the folder of its
 * resource; the control plane finds the current ones.
 */

/** Worst first: broken now, or about to break. */
export const issueSeverities = ['critical', 'warning'] as const
export type IssueSeverity = (typeof issueSeverities)[number]

/**
 * A kind of issue.
 * @typeParam Facts data of its sentence and its path
 */
export interface IssueRule<Facts> {
  severity: IssueSeverity
  /** Kinds whose changes can start or end the issue; their `reads` have `issue_list`. */
  about: readonly string[]
  sentence: (facts: Facts) => string
  /** Path of the console page. */
  path: (facts: Facts) => string
  /** Link text for the next action on that page. */
  next?: string
}

export const issueRule = <Facts>(rule: IssueRule<Facts>): IssueRule<Facts> => rule

/** Encodes text for a console path. */
export const inPath = (text: string): string => encodeURIComponent(text)

/** Maximum number of issues listed per kind. */
export const ISSUES_OF_A_KIND = 50

/** `2 sleds`, `1 sled`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`
