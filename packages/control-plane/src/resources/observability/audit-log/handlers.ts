import type { tables } from '@steading/api'
import type { ExportFormat } from '@steading/api/rules'
import { authenticate } from '../../identity/auth/authenticate.ts'
import { type Actor, may } from '../../../kernel/authz/actor.ts'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { type Page, type ResultsPage, tokenAfter } from '../../../kernel/paging.ts'
import { requireTimeRange } from '../../../kernel/time-range.ts'
import { formats } from './export.ts'
import {
  type EntryRow,
  type Filters,
  type LogPosition,
  readEntries,
  readEntry,
  readHistory,
} from './list.ts'
import { readableProjects } from '../overview/projects.ts'
import { toWireActions, toWireOwnActions } from './own-actions.ts'
import { requireHistory } from './readable.ts'
import { logOfProject, logOfSilo } from './readable-log.ts'
import { toWireAuditEntry, toWireHistoryEntry, toWireLogEntry } from './wire.ts'

/** Entries that an export reads per query. */
const EXPORT_PAGE = 500

const isDescending = ({ sortBy }: Page): boolean => sortBy.endsWith('_descending')

function positionOf({ lastSeen, lastId }: Page): LogPosition | undefined {
  return lastSeen === undefined ? undefined : { time: lastSeen, id: lastId! }
}

function pageOf<Item>(
  page: Page,
  rows: readonly EntryRow[],
  toWire: (row: EntryRow) => Item,
): ResultsPage<Item> {
  const last = rows.at(-1)
  return {
    items: rows.map(toWire),
    next_page: last ? tokenAfter(page, { last_seen: last.time_completed, last_id: last.id }) : null,
  }
}

/** The silo whose log a caller may see; undefined for callers who may see the fleet's. */
const ownLog = (actor: Actor): string | undefined =>
  may(actor, 'read', 'fleet', {}) ? undefined : actor.siloId

/**
 * An export, streamed as it is read. The caller's rights are checked again before each piece,
 * because a long download may outlive them.
 */
function exportStream(
  { services, http, query }: Context<'audit_log_export'>,
  end: string,
): ReadableStream<Uint8Array> {
  const { database, clock } = services
  const { header, entry } = formats[query.format as ExportFormat]
  const encoder = new TextEncoder()
  let after: LogPosition | undefined
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (header) controller.enqueue(encoder.encode(header))
      },
      async pull(controller) {
        const { actor } = await authenticate(services, http.request, clock(), false)
        const { siloId } = actor
        authorize({ actor, requiredActions: { audit_log: 'list' } }, 'audit_log', { siloId })
        const rows = await readEntries(database, {
          ...(query as Filters),
          end_time: end,
          siloId: ownLog(actor),
          after,
          descending: false,
          limit: EXPORT_PAGE,
        })
        const last = rows.at(-1)
        if (!last) return controller.close()
        after = { time: last.time_completed, id: last.id }
        const text = rows.map((row) => entry(toWireAuditEntry(actor, row))).join('')
        controller.enqueue(encoder.encode(text))
      },
    },
    { highWaterMark: 1 },
  )
}

export const auditLogHandlers: Handlers<typeof tables.auditLogOperations> = {
  async audit_log_list(ctx) {
    authorize(ctx, 'fleet', {})
    const { page } = ctx
    const rows = await readEntries(ctx.services.database, {
      ...(ctx.query as Filters),
      after: positionOf(page),
      descending: isDescending(page),
      limit: page.limit,
    })
    return pageOf(page, rows, toWireLogEntry)
  },

  async audit_entry_list(ctx) {
    const { page, actor } = ctx
    authorize(ctx, 'audit_log', { siloId: actor.siloId })
    const rows = await readEntries(ctx.services.database, {
      ...(ctx.query as Filters),
      siloId: ownLog(actor),
      after: positionOf(page),
      descending: isDescending(page),
      limit: page.limit,
    })
    return pageOf(page, rows, (row) => toWireAuditEntry(actor, row))
  },

  async audit_entry_view(ctx) {
    const { actor, params } = ctx
    authorize(ctx, 'audit_log', { siloId: actor.siloId })
    const row = await readEntry(ctx.db, params.entry)
    const silo = ownLog(actor)
    if (row && (silo === undefined || row.silo_id === silo)) return toWireAuditEntry(actor, row)
    throw fail.notFoundOther(`entry of the audit log with id "${params.entry}"`)
  },

  async audit_log_export(ctx) {
    authorize(ctx, 'audit_log', { siloId: ctx.actor.siloId })
    const { format, start_time, end_time } = ctx.query
    requireTimeRange(start_time, end_time)
    const { contentType, extension } = formats[format]
    // Later entries are left out, or the export might never end.
    const next = ctx.now.getTime() + 1
    const end = end_time && Date.parse(end_time) < next ? end_time : new Date(next).toISOString()
    const day = ctx.now.toISOString().slice(0, 10)
    return new Response(exportStream(ctx, end), {
      headers: {
        'content-type': contentType,
        'content-disposition': `attachment; filename="audit-log-${day}.${extension}"`,
      },
    })
  },

  async own_action_list(ctx) {
    const { page, actor, query } = ctx
    const rows = await readEntries(ctx.services.database, {
      result: query.result,
      user: actor.userId,
      outsideJobs: true,
      after: positionOf(page),
      descending: isDescending(page),
      limit: page.limit,
    })
    const items = await toWireOwnActions(ctx.db, rows)
    return { ...pageOf(page, rows, () => undefined), items }
  },

  async action_list(ctx) {
    const { db, page, actor, query, services } = ctx
    const project = query.project ? await lookup(ctx, 'project', query.project) : undefined
    const log = project
      ? logOfProject(actor, project.id)
      : logOfSilo(actor, await readableProjects(db, actor))
    const rows = await readEntries(services.database, {
      result: query.result,
      ...(project ? { projectId: project.id } : { silo: actor.siloId }),
      visible: log.condition,
      after: positionOf(page),
      descending: isDescending(page),
      limit: page.limit,
    })
    const items = await toWireActions(db, actor, rows)
    return { ...pageOf(page, rows, () => undefined), items }
  },

  async history_list(ctx) {
    const { page, actor } = ctx
    const { kind, id } = ctx.query
    await requireHistory(ctx, kind!, id!)
    const rows = await readHistory(ctx.services.database, id!, {
      after: positionOf(page),
      descending: isDescending(page),
      limit: page.limit,
    })
    return pageOf(page, rows, (row) => toWireHistoryEntry(actor, row))
  },
}
