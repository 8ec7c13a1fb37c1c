/**
 * Issues: conditions that need the attention of operators. Resources find theirs in `issues.ts` of
 * their folders; the contract declares what each kind means.
 */
import {
  type IssueFacts,
  type IssueKind,
  issueRules,
  ISSUES_OF_A_KIND,
  type Wire,
} from '@steading/api'
import type { Actor } from './authz/actor.ts'
import type { Db } from './db/database.ts'
import type { Outages } from './outages.ts'
import type { ControlPlaneServices } from './services.ts'

/** The services a finder may use: it only reads, and as few rows as possible. */
export interface Search {
  db: Db
  now: Date
  actor: Actor
  services: Pick<ControlPlaneServices, 'engine' | 'uplinks' | 'timeSeries' | 'hosts'> & {
    outages: Pick<Outages, 'damage' | 'lasts' | 'notice'>
  }
}

/**
 * How many rows of a kind a finder reads: the number that is shown, and one more, which means that
 * there are more.
 */
export const ISSUE_ROWS = ISSUES_OF_A_KIND + 1

/**
 * An issue of a kind.
 * @param thing the resource it is about: at most one issue of a kind per resource
 * @param began RFC 3339; null if that is not known
 */
export function issue<K extends IssueKind>(
  kind: K,
  thing: string,
  began: string | null,
  facts: IssueFacts<K>,
): Wire.Issue {
  const rule = issueRules[kind] as unknown as {
    severity: Wire.IssueSeverity
    sentence: (facts: IssueFacts<K>) => string
    path: (facts: IssueFacts<K>) => string
    next?: string
  }
  return {
    id: `${kind}:${thing}`,
    kind,
    severity: rule.severity,
    sentence: rule.sentence(facts),
    time_began: began,
    path: rule.path(facts),
    next: rule.next ?? null,
  }
}

export type Finder = (search: Search) => Promise<Wire.Issue[]>

const severities: Record<Wire.IssueSeverity, number> = { critical: 0, warning: 1 }

/** The longest-known issues come first, those without a time last. */
const began = ({ time_began }: Wire.Issue): string => time_began ?? '9'

/** The issues of some finders, the worst first, and of the same severity the oldest. */
export async function allIssues(search: Search, finders: readonly Finder[]): Promise<Wire.Issues> {
  const { outages } = search.services
  const readable = (find: Finder) =>
    find(search).catch((error: unknown) => {
      // A damaged database still reports its other issues.
      if (outages.notice(error) && outages.lasts('damaged')) return []
      throw error
    })
  const found = (await Promise.all(finders.map(readable))).flat()
  const byKind = Map.groupBy(found, ({ kind }) => kind)
  const told = [...byKind.values()].flatMap((its) => its.slice(0, ISSUES_OF_A_KIND))
  return {
    items: told.sort(
      (one, other) =>
        severities[one.severity] - severities[other.severity] ||
        began(one).localeCompare(began(other)) ||
        one.id.localeCompare(other.id),
    ),
    more: told.length < found.length,
  }
}
