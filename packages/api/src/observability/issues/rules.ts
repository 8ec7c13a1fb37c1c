/**
 * Issues: problems that need an operator. Each kind is declared in `issues.ts` of the folder of its
 * resource; the control plane finds the current ones.
 */

/** Worst first: broken now, or about to break. */
export const issueSeverities = ['critical', 'warning'] as const
export type IssueSeverity = (typeof issueSeverities)[number]

/** How an issue ended, as far as that was known at the time. */
export interface IssueEnd {
  /** Its resource was deleted. */
  isDeleted?: boolean
  /** The instance that it was about runs. */
  isRunning?: boolean
}

/**
 * A kind of issue.
 * @typeParam Facts data of its sentence and its path
 */
export interface IssueRule<Facts> {
  severity: IssueSeverity
  /**
   * Kinds whose changes can start or end the issue; their `reads` have `issue_list`. The first is
   * the kind of the resource that it is about, unless `kindOf` tells.
   */
  about: readonly string[]
  kindOf?: (facts: Facts) => string
  sentence: (facts: Facts) => string
  /**
   * The sentence once it has ended: true however it ended, as far as `IssueEnd` does not tell. A
   * deletion of its resource is told by `endedSentence`.
   */
  ended: (facts: Facts & IssueEnd) => string
  /** The resource that it is about, at the beginning of a sentence. */
  subject?: (facts: Facts) => string
  /** Path of the console page. */
  path: (facts: Facts) => string
  /** Link text for the next action on that page. */
  next?: string
}

export const issueRule = <Facts>(rule: IssueRule<Facts>): IssueRule<Facts> => rule

/** The sentence about an issue that has ended. */
export const endedSentence = <Facts>(
  { ended, subject }: IssueRule<Facts>,
  facts: Facts & IssueEnd,
): string => (facts.isDeleted && subject ? `${subject(facts)} was deleted` : ended(facts))

/** A place that is clear from the page, so that sentences omit it. */
export type ReadWithin = 'project' | 'silo'

/** ` of project shop in silo acme`, as far as it is not clear from the page. */
export const placeWords = (project: string, silo: string, within?: ReadWithin): string =>
  within === 'project' ? '' : ` of project ${project}${within === 'silo' ? '' : ` in silo ${silo}`}`

/** Encodes text for a console path. */
export const inPath = (text: string): string => encodeURIComponent(text)

/** Maximum number of issues listed per kind. */
export const ISSUES_OF_A_KIND = 50

/** `2 sleds`, `1 sled`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`
