import { issueRules } from '../../kinds/issues.ts'
import { issueSeverities } from './rules.ts'
import { boolean, dateTime, list, named, oneOf, record, string } from '../../schema.ts'

export const issueFields = {
  /** Stable while the issue lasts. */
  id: string,
  kind: named('IssueKind', oneOf(...(Object.keys(issueRules) as [string, ...string[]]))),
  severity: named('IssueSeverity', oneOf(...issueSeverities)),
  sentence: string,
  /** Null if unknown. */
  time_began: dateTime.nullable(),
  /** Path of the console page where it can be resolved. */
  path: string,
  /** Suggested next action. */
  next: string.nullable(),
}
const Issue = record('Issue', issueFields)

export const Issues = record('Issues', {
  /** Worst first, then oldest first. */
  items: list(Issue),
  /** Whether some kind has more issues than are listed. */
  more: boolean,
})
