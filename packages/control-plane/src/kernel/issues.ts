/**
 * What needs the attention of operators. Resources find the issues that they know of, in `issues.ts`
 * of their folders; what these mean is declared in the contract.
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

/** What finders may use: they only read, and as few rows as they can. */
export interface Search {
  db: Db
  now: Date
  actor: Actor
  services: Pick<ControlPlaneServices, 'uplinks' | 'timeSeries'> & {
    outages: Pick<Outages, 'damage' | 'lasts' | 'notice'>
  }
}

/** How many rows of a kind a finder reads: so many are told, and one more says that there are more. */
export const ISSUE_ROWS = ISSUES_OF_A_KIND + 1

/**
 * An issue of a kind.
 * @param thing what it is about: there is one issue of a kind about a thing
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

/** What is known longest comes first; what has no time comes last. */
const began = ({ time_began }: Wire.Issue): string => time_began ?? '9'

/** The issues that some finders know of, the worst first and of these the oldest. */
export async function allIssues(search: Search, finders: readonly Finder[]): Promise<Wire.Issues> {
  const { outages } = search.services
  const readable = (find: Finder) =>
    find(search).catch((error: unknown) => {
      // Of a damaged database, the rest is still told.
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
