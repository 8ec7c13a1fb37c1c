/** Records as CSV, each clipped to a range of days. */
import {
  csvLine,
  quantityOf,
  tagText,
  USAGE_DECIMALS,
  type UsageMetric,
  usageMetricTable,
} from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import { placesOf } from './places.ts'
import type { Question } from './report.ts'
import { silosWithRecords, slicesOf } from './scan.ts'
import type { UsageRecordTable } from './table.ts'

const tagsOf = jsonColumn<Record<string, string>>()

const HEADER = [
  'silo',
  'silo_id',
  'project',
  'project_id',
  'resource',
  'resource_id',
  'metric',
  'unit',
  'amount',
  'time_start',
  'time_end',
  'quantity',
  'tags',
]

const iso = (ms: number) => new Date(ms).toISOString()

/** The pieces of a file: the header, and the records of one slice after the other. */
export async function* exportRecords(
  db: Db,
  { span, moment, siloId, projectId }: Omit<Question, 'days' | 'groupBy' | 'tagKey' | 'prices'>,
): AsyncGenerator<string> {
  yield csvLine(HEADER)
  if (span.to <= span.from) return
  const silos = siloId === undefined ? await silosWithRecords(db) : [siloId]
  for (const silo of silos) {
    for await (const slice of slicesOf(db, silo, span.from, moment)) {
      const { rows } = await sql<UsageRecordTable>`
        select * from (${slice}) as record
        where time_start < ${span.to}
          and ${projectId === undefined ? sql`1 = 1` : sql`project_id = ${projectId}`}
        order by time_end, thing_id, metric`.execute(db)
      const places = await placesOf(db, [silo, ...new Set(rows.map((row) => row.project_id))])
      yield rows
        .map((row) => {
          const start = Math.max(Number(row.time_start), span.from)
          const end = Math.min(Number(row.time_end), span.to)
          const tags = Object.entries(tagsOf.read(row.tags))
          return csvLine([
            places.get(silo)!.name,
            silo,
            row.project_id === null ? null : places.get(row.project_id)!.name,
            row.project_id,
            row.name,
            row.thing_id,
            row.metric,
            usageMetricTable[row.metric as UsageMetric].unit,
            Number(row.amount),
            iso(start),
            iso(end),
            quantityOf(BigInt(row.amount) * BigInt(end - start), USAGE_DECIMALS),
            tags.map(([key, value]) => tagText({ key, value })).join(', '),
          ])
        })
        .join('')
    }
  }
}
