/**
 * Issues: conditions that need the attention of operators. Resources find theirs in `issues.ts` of
 * their folders; the contract declares what each kind means.
 */
import {
  type IssueFacts,
  type IssueKind,
  issueRules,
  type IssueRule,
  ISSUES_OF_A_KIND,
  type Wire,
} from '@steading/api'
import { isUuid } from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from './authz/actor.ts'
import type { Db, OpenDatabase } from './db/database.ts'
import { yieldToEventLoop } from './event-loop.ts'
import type { Outages } from './outages.ts'
import type { ControlPlaneServices } from './services.ts'

/** The services a finder may use: it only reads, and as few rows as possible. */
export interface Search {
  db: Db
  now: Date
  actor: Actor
  services: Pick<
    ControlPlaneServices,
    'engine' | 'uplinks' | 'timeSeries' | 'hosts' | 'enrolment' | 'dataDisk' | 'vpcNetworks'
  > & {
    database: Pick<OpenDatabase, 'replication'>
    outages: Pick<Outages, 'damage' | 'lasts' | 'recognize'>
  }
}

/**
 * How many rows of a kind a finder reads: the number that is shown, and one more, which means that
 * there are more.
 */
export const ISSUE_ROWS = ISSUES_OF_A_KIND + 1

/** The resource that an issue is about, with the names of its containers. */
export type IssueResource = Wire.AttentionResource

/** An issue, with facts that only overviews and notifications show. */
export interface FoundIssue extends Wire.Issue {
  /** Null if it is about several resources, or none. */
  resource: IssueResource | null
  /** Data of its sentence and its path. */
  facts: object
}

/** An issue with its place. */
export interface ScannedIssue {
  issue: FoundIssue
  siloId: string | null
  projectId: string | null
}

/**
 * All issues of some kinds, in pieces. Unlike a finder it leaves none out, so that the end of an
 * issue is certain.
 */
export type IssueScan = (search: Search) => AsyncGenerator<ScannedIssue[]>

/** True of the rows after a position, in the order of a scan. */
export const later = (
  column: string,
  id: string,
  [text, last]: readonly [string, string],
): RawBuilder<boolean> => sql`(${sql.ref(column)}, ${sql.ref(id)}) > (${text}, ${last})`

/** Rows that a scan reads at once. */
const SCAN_ROWS = 200

/**
 * Reads rows in the order of a text column and the id.
 * @param rows at most so many after a position; from the beginning without one
 * @param sortOf the text of a row by which it is sorted
 */
export async function* scanRows<Row extends { id: string }>(
  rows: (limit: number, after: readonly [string, string] | undefined) => Promise<Row[]>,
  sortOf: (row: Row) => string,
): AsyncGenerator<Row[]> {
  let after: readonly [string, string] | undefined
  for (;;) {
    const found = await rows(SCAN_ROWS, after)
    yield found
    const last = found.at(-1)
    if (!last || found.length < SCAN_ROWS) return
    after = [sortOf(last), last.id]
    await yieldToEventLoop()
  }
}

/** Facts about the resource of an issue, as far as a kind has them. */
interface NamedFacts {
  name?: string
  serial?: string
  project?: string | null
  silo?: string | null
}

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
): FoundIssue {
  const rule = issueRules[kind] as unknown as IssueRule<IssueFacts<K>>
  const { serial, name = serial, project = null, silo = null } = facts as NamedFacts
  const about = rule.kindOf?.(facts) ?? rule.about[0]
  return {
    id: `${kind}:${thing}`,
    kind,
    severity: rule.severity,
    sentence: rule.sentence(facts),
    time_began: began,
    path: rule.path(facts),
    next: rule.next ?? null,
    facts,
    resource:
      about !== undefined && name !== undefined && isUuid(thing)
        ? { kind: about, id: thing, name, project, silo }
        : null,
  }
}

export type Finder = (search: Search) => Promise<FoundIssue[]>

const severities: Record<Wire.IssueSeverity, number> = { critical: 0, warning: 1 }

/** The longest-known issues come first, those without a time last. */
const began = ({ time_began }: Wire.Issue): string => time_began ?? '9'

/** The issues of some finders, in no order. */
export async function findIssues(
  search: Search,
  finders: readonly Finder[],
): Promise<{ items: FoundIssue[]; more: boolean }> {
  const { outages } = search.services
  const readable = (find: Finder) =>
    find(search).catch((error: unknown) => {
      // A damaged database still reports its other issues.
      if (outages.recognize(error) && outages.lasts('damaged')) return []
      throw error
    })
  const found = (await Promise.all(finders.map(readable))).flat()
  return limited(found)
}

/** As many issues of each kind as are shown. */
export function limited(found: readonly FoundIssue[]): { items: FoundIssue[]; more: boolean } {
  const byKind = Map.groupBy(found, ({ kind }) => kind)
  const items = [...byKind.values()].flatMap((its) => its.slice(0, ISSUES_OF_A_KIND))
  return { items, more: items.length < found.length }
}

/** The worst first. */
export const bySeverity = (one: Wire.Issue, other: Wire.Issue): number =>
  severities[one.severity] - severities[other.severity]

/** The issues of some finders, the worst first, and of the same severity the oldest. */
export async function allIssues(search: Search, finders: readonly Finder[]): Promise<Wire.Issues> {
  const { items, more } = await findIssues(search, finders)
  return {
    items: items
      .toSorted(
        (one, other) =>
          bySeverity(one, other) ||
          began(one).localeCompare(began(other)) ||
          one.id.localeCompare(other.id),
      )
      .map((found) => {
        const { resource: _, facts: _facts, ...shown } = found
        return shown
      }),
    more,
  }
}
