import { issueRules } from '../../kinds/issues.ts'
import { issueSeverities } from './rules.ts'
import { array, boolean, dateTime, named, oneOf, record, string } from '../../schema.ts'

const Issue = record('Issue', {
  /** The same for as long as the issue lasts. */
  id: string,
  kind: named('IssueKind', oneOf(...(Object.keys(issueRules) as [string, ...string[]]))),
  severity: named('IssueSeverity', oneOf(...issueSeverities)),
  sentence: string,
  /** Null where that is not known. */
  time_began: dateTime.nullable(),
  /** The page of the console where it is dealt with. */
  path: string,
  /** What can be done next. */
  next: string.nullable(),
})

export const Issues = record('Issues', {
  /** The worst first, and of these the oldest. */
  items: array(Issue),
  /** Whether there are more of some kind than are told. */
  more: boolean,
})
