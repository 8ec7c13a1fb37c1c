import type { tables, Wire } from '@steading/api'
import { startsOfDays, daysFrom } from '@steading/api/days'
import { isTimeZone } from '@steading/api/recurrence'
import { scheduleMessages, USAGE_DAYS_MAX, usageMessages } from '@steading/api/rules'
import { authenticate } from '../../identity/auth/authenticate.ts'
import type { Actor } from '../../../kernel/authz/actor.ts'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { readSetting } from '../../../kernel/db/setting.ts'
import { streamOf } from '../../../kernel/download.ts'
import { fail } from '../../../kernel/errors.ts'
import { lookup } from '../../../kernel/lookup.ts'
import type { Work } from '../../../kernel/work.ts'
import { pricesOf, readPriceList } from '../price-list/prices.ts'
import { exportRecords } from './export.ts'
import { type Question, readReport } from './report.ts'
import { RECORDED_SINCE } from './recording.ts'
import { clockOf } from './scan.ts'

interface Range {
  first_day: string
  last_day: string
  time_zone?: string
}

/** @throws ApiError 400 for a range that is none, or too long */
async function spanOf(
  { services }: Pick<Work, 'services'>,
  { first_day, last_day, time_zone = 'UTC' }: Range,
): Promise<Pick<Question, 'days' | 'span' | 'moment'>> {
  if (!isTimeZone(time_zone)) throw fail.invalidValue('time_zone', scheduleMessages.timeZone)
  const count = daysFrom(first_day, last_day)
  if (count < 1) throw fail.invalidRequest(usageMessages.order)
  if (count > USAGE_DAYS_MAX) throw fail.invalidRequest(usageMessages.tooLong)
  const { db, dialect } = services.database
  const moment = await clockOf(db, dialect)
  const starts = startsOfDays(first_day, last_day, time_zone)
  const from = starts[0]!.start
  const to = Math.max(from, Math.min(starts.at(-1)!.start, moment))
  return { days: starts.slice(0, -1), span: { from, to }, moment }
}

type Where = Pick<Question, 'siloId' | 'projectId'>

/** The part of a silo that its user asks about: a project, or all of the silo. */
async function ownPlace(
  ctx: Context<'usage_view'> | Context<'usage_record_export'>,
): Promise<Where> {
  const { project } = ctx.query
  const { siloId } = ctx.actor
  if (project) return { siloId, projectId: (await lookup(ctx, 'project', project)).id }
  await lookup(ctx, 'silo', siloId)
  return { siloId, projectId: undefined }
}

async function systemPlace(
  ctx: Context<'system_usage_view'> | Context<'system_usage_record_export'>,
): Promise<Where> {
  authorize(ctx, 'fleet', {})
  const { silo } = ctx.query
  return { siloId: silo && (await lookup(ctx, 'silo', silo)).id, projectId: undefined }
}

async function report(
  { db, services, query }: Context<'usage_view'> | Context<'system_usage_view'>,
  where: Where,
  usual: Wire.UsageGrouping,
  seesCosts: (list: Wire.PriceList) => boolean,
): Promise<Wire.UsageReport> {
  const { first_day, last_day, time_zone = 'UTC', group_by = usual, tag_key } = query
  const range = await spanOf({ services }, query)
  const list = await readPriceList(db)
  const prices = seesCosts(list) ? pricesOf(list) : undefined
  const found = await readReport(services.database, {
    ...range,
    ...where,
    groupBy: group_by,
    tagKey: tag_key,
    prices,
  })
  return {
    first_day,
    last_day,
    time_zone,
    time_start: new Date(range.span.from).toISOString(),
    time_end: new Date(range.span.to).toISOString(),
    time_recorded_since: (await readSetting(db, RECORDED_SINCE))!,
    currency: prices?.currency ?? null,
    priced_since: prices ? list.versions.at(-1)!.valid_from : null,
    group_by,
    ...found,
  }
}

/**
 * A file with records. The caller's rights are checked again before each piece, because they may end
 * meanwhile.
 */
async function* pieces(
  ctx: Context<'usage_record_export'> | Context<'system_usage_record_export'>,
  where: Where,
  check: (actor: Actor) => void,
): AsyncGenerator<Uint8Array> {
  const { services, http, query } = ctx
  const encoder = new TextEncoder()
  const { span, moment } = await spanOf(ctx, query)
  for await (const text of exportRecords(services.database.db, { span, moment, ...where })) {
    const { actor } = await authenticate(services, http.request, services.clock(), false)
    check(actor)
    if (text !== '') yield encoder.encode(text)
  }
}

const fileOf = async (
  { services, query }: Context<'usage_record_export'> | Context<'system_usage_record_export'>,
  content: AsyncGenerator<Uint8Array>,
): Promise<Response> => {
  // Refuses a bad range before the file begins.
  await spanOf({ services }, query)
  return new Response(streamOf(content), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="usage-${query.first_day}-${query.last_day}.csv"`,
    },
  })
}

export const usageHandlers: Handlers<typeof tables.usageOperations> = {
  usage_view: async (ctx) =>
    report(ctx, await ownPlace(ctx), 'project', (list) => list.shown_to_silos),

  async usage_record_export(ctx) {
    const where = await ownPlace(ctx)
    const { requiredActions } = ctx
    return fileOf(
      ctx,
      pieces(ctx, where, (actor) => {
        const scope = { siloId: actor.siloId, projectId: where.projectId }
        if (where.projectId) authorize({ actor, requiredActions }, 'project', scope)
        else authorize({ actor, requiredActions }, 'silo', { siloId: actor.siloId })
      }),
    )
  },

  system_usage_view: async (ctx) => report(ctx, await systemPlace(ctx), 'silo', () => true),

  async system_usage_record_export(ctx) {
    const where = await systemPlace(ctx)
    const { requiredActions } = ctx
    return fileOf(
      ctx,
      pieces(ctx, where, (actor) => authorize({ actor, requiredActions }, 'fleet', {})),
    )
  },
}
