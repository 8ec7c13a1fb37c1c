/**
 * Compares the present issues with the open notifications, and writes the differences. So an issue
 * is told once, whatever is killed and whichever servers look, and one that began while no server
 * ran is told later.
 */
import { type IssueKind, ISSUES_OF_A_KIND } from '@steading/api'
import { FLEET_ID, notificationsOf } from '@steading/api/rules'
import type { Actor } from '../../../kernel/authz/actor.ts'
import { writeSetting } from '../../../kernel/db/setting.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { inPages } from '../../../kernel/db/pages.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import {
  type Finder,
  type FoundIssue,
  type IssueScan,
  type ScannedIssue,
  type Search,
} from '../../../kernel/issues.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { writingIn } from '../../../kernel/work.ts'
import { instanceIssues, instanceScan } from '../../compute/instances/issues.ts'
import { scheduleIssues, scheduleScan } from '../../compute/schedules/issues.ts'
import { certificateIssues, certificateScan } from '../../identity/certificates/issues.ts'
import { siloIssues, siloScan } from '../../tenancy/silos/issues.ts'
import { ruleIssues, ruleScan } from '../alert-rules/issues.ts'
import { issueFinders } from '../issues/all.ts'
import { type Change, change, continues, release } from './announce.ts'
import { lastSequence, SEQUENCE, wakeSubscriptions } from './subscriptions.ts'
import { factsAtEnd } from './ends.ts'
import { notificationFacts } from './table.ts'
import type { NotificationRow } from './wire.ts'

/** The finders whose issues a scan finds completely. */
const scans: ReadonlyMap<Finder, IssueScan> = new Map([
  [ruleIssues, ruleScan],
  [instanceIssues, instanceScan],
  [scheduleIssues, scheduleScan],
  [siloIssues, siloScan],
  [certificateIssues, certificateScan],
])

/** Issues are sought for no user in particular. */
const nobody: Actor = {
  userId: '',
  displayName: '',
  siloId: '',
  siloName: '',
  fleetRoles: [],
  siloRoles: [],
  projectRoles: new Map(),
}

interface Found {
  issues: Map<string, ScannedIssue>
  /** Kinds of which not all issues are known, so that none of them counts as over. */
  unsure: Set<IssueKind>
  /** Whether some issues could not be sought, so that no issue of a finder counts as over. */
  isPartial: boolean
}

const ofSystem = (issue: FoundIssue): ScannedIssue => ({ issue, siloId: null, projectId: null })

async function seek(services: ControlPlaneServices, isActive: () => boolean): Promise<Found> {
  const { database, clock, settings } = services
  const search: Search = { db: database.db, now: clock(), actor: nobody, services }
  const found: Found = { issues: new Map(), unsure: new Set(), isPartial: false }
  for (const scan of scans.values()) {
    for await (const piece of scan(search)) {
      for (const one of piece) found.issues.set(one.issue.id, one)
      if (!isActive()) break
    }
  }
  for (const find of issueFinders) {
    if (scans.has(find)) continue
    try {
      const some = await find(search)
      for (const [kind, its] of Map.groupBy(some, (issue) => issue.kind as IssueKind)) {
        if (its.length > ISSUES_OF_A_KIND) found.unsure.add(kind)
      }
      for (const issue of some) found.issues.set(issue.id, ofSystem(issue))
    } catch (error) {
      // An engine that does not answer hides its issues; those of the database are still told.
      found.isPartial = true
      settings.log('seeking issues for notifications failed', error)
    }
    await yieldToEventLoop()
  }
  return found
}

/** Rows that are read at once, and changes that are written in one transaction. */
const PIECE = 200
const WRITTEN = 25

/** The open notifications, and those with held changes. */
const watchedRows = (db: Db): AsyncGenerator<NotificationRow[]> =>
  inPages(
    db
      .selectFrom('notification')
      .selectAll()
      .where((eb) => eb.or([eb('state', '=', 'open'), eb('time_held', 'is not', null)])),
    'issue',
    PIECE,
  )

/** A change of a stored notification; `from` is the row that was compared. */
interface Update {
  from: NotificationRow
  values: Change
}

/** Whether a thing in a project has the same trouble anew, such as the next run of a schedule. */
const isRepeated = (row: NotificationRow, { issue, projectId }: ScannedIssue): boolean =>
  projectId !== null &&
  issue.time_began !== null &&
  row.time_began !== null &&
  issue.time_began > row.time_began

/** The change of a notification whose issue was found, or not. */
function compare(row: NotificationRow, found: Found, now: Date): Change | undefined {
  const present = found.issues.get(row.issue)
  if (!present) {
    const { level } = notificationsOf[row.kind]
    const isKnown = level !== 'system' || !(found.isPartial || found.unsure.has(row.kind))
    const isOver = row.state === 'open' && isKnown
    return isOver ? change(row, 'resolved', now) : release(row, now)
  }
  const facts = notificationFacts.write(present.issue.facts)
  const { severity, time_began } = present.issue
  const described = { facts, severity, time_began }
  if (row.state === 'resolved') return { ...described, ...change(row, 'open', now) }
  if (isRepeated(row, present)) return { ...described, ...change(row, 'open', now) }
  const released = release(row, now)
  if (released) return { ...described, ...released }
  return facts === row.facts ? undefined : { ...described, isAnnounced: false }
}

const newRow = ({ issue, siloId, projectId }: ScannedIssue, now: Date): NotificationRow => ({
  id: crypto.randomUUID(),
  issue: issue.id,
  kind: issue.kind as IssueKind,
  topic: notificationsOf[issue.kind as IssueKind].topic,
  severity: issue.severity,
  facts: notificationFacts.write(issue.facts),
  fleet_id: siloId === null ? FLEET_ID : null,
  silo_id: siloId,
  project_id: projectId,
  state: 'open',
  announced: 'open',
  times: 1,
  changes: 1,
  sequence: 0,
  time: now.toISOString(),
  time_held: null,
  time_began: issue.time_began,
  time_resolved: null,
  time_created: now.toISOString(),
})

/** Emits one event for each place with changes; the queries of its readers are stale. */
async function emitPlaces(db: Db, now: Date, rows: readonly NotificationRow[]): Promise<void> {
  const { emit } = writingIn(db, now)
  const places = Map.groupBy(rows, (row) => row.project_id ?? row.silo_id ?? '')
  for (const [, [row]] of places) {
    const { id, silo_id, project_id } = row!
    const kind = project_id
      ? 'project_notification'
      : silo_id
        ? 'silo_notification'
        : 'system_notification'
    await emit(kind, 'update', { id, name: '', silo_id, project_id })
  }
}

/** The latest notifications of issues, if a new beginning continues them. */
async function continued(db: Db, begun: readonly ScannedIssue[], now: Date) {
  const rows = await db
    .selectFrom('notification')
    .selectAll()
    .where(
      'issue',
      'in',
      begun.map(({ issue }) => issue.id),
    )
    .where('state', '=', 'resolved')
    .orderBy('time_created')
    .execute()
  return new Map(rows.filter((row) => continues(row, now)).map((row) => [row.issue, row]))
}

/** Writes a piece of the differences in one transaction, with the alarms of subscriptions. */
async function write(
  services: Pick<ControlPlaneServices, 'database' | 'clock'>,
  { begun, updates }: { begun: readonly ScannedIssue[]; updates: readonly Update[] },
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const now = services.clock()
    let sequence = await lastSequence(tx)
    const announced: NotificationRow[] = []
    const all = [...updates]
    if (begun.length > 0) {
      const earlier = await continued(tx, begun, now)
      const open = await tx
        .selectFrom('notification')
        .select('issue')
        .where('state', '=', 'open')
        .where(
          'issue',
          'in',
          begun.map(({ issue }) => issue.id),
        )
        .execute()
      const isOpen = new Set(open.map(({ issue }) => issue))
      const created: NotificationRow[] = []
      for (const one of begun) {
        // Another server may have been faster.
        if (isOpen.has(one.issue.id)) continue
        const before = earlier.get(one.issue.id)
        const { severity, time_began } = one.issue
        const facts = notificationFacts.write(one.issue.facts)
        if (before) {
          const values = { facts, severity, time_began, ...change(before, 'open', now) }
          all.push({ from: before, values })
        } else created.push({ ...newRow(one, now), sequence: ++sequence })
      }
      if (created.length > 0) await tx.insertInto('notification').values(created).execute()
      announced.push(...created)
    }
    for (const { from, values } of all) {
      const { isAnnounced, ...columns } = values
      const ends = from.state === 'open' && values.state === 'resolved'
      if (ends) columns.facts = await factsAtEnd(tx, from)
      const written = await tx
        .updateTable('notification')
        .set({ ...columns, ...(isAnnounced && { sequence: ++sequence }) })
        .where('id', '=', from.id)
        .where('changes', '=', from.changes)
        .returningAll()
        .executeTakeFirst()
      if (written && isAnnounced) announced.push(written)
    }
    if (announced.length === 0) return
    await writeSetting(tx, SEQUENCE, String(sequence))
    await emitPlaces(tx, now, announced)
    await wakeSubscriptions(tx, announced, now)
  })
}

/**
 * Looks once.
 * @param isActive false ends the work between its parts
 */
export async function resyncIssues(
  services: ControlPlaneServices,
  isActive: () => boolean,
): Promise<void> {
  const { database, clock, feed, reconciler } = services
  const found = await seek(services, isActive)
  if (!isActive()) return
  const now = clock()
  const updates: Update[] = []
  const known = new Set<string>()
  for await (const rows of watchedRows(database.db)) {
    for (const row of rows) {
      known.add(row.issue)
      const values = compare(row, found, now)
      if (values) updates.push({ from: row, values })
    }
  }
  const begun = [...found.issues.values()].filter(({ issue }) => !known.has(issue.id))
  const writes = Math.ceil(Math.max(begun.length, updates.length) / WRITTEN)
  for (let at = 0; at < writes && isActive(); at++) {
    const piece = <T>(all: readonly T[]) => all.slice(at * WRITTEN, (at + 1) * WRITTEN)
    await write(services, { begun: piece(begun), updates: piece(updates) })
    feed.notify()
    await yieldToEventLoop()
  }
  reconciler.wake('notification_subscription')
}
