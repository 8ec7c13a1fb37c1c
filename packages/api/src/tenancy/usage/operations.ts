import { TIME_ZONE_MAX } from '../../compute/schedules/rules.ts'
import type { Operation } from '../../operation.ts'
import { NameOrId, ruledText, TagKey } from '../../schema.ts'
import { Day, UsageGrouping, UsageRecords, UsageReport } from './schemas.ts'

const tags = ['extensions']
/** Days of a time zone, both included; UTC by default. */
const days = { first_day: Day, last_day: Day, time_zone: ruledText(TIME_ZONE_MAX).optional() }
const grouped = { group_by: UsageGrouping.optional(), tag_key: TagKey.optional() }
const report = { status: 200, schema: UsageReport } as const
const records = {
  status: 200,
  schema: UsageRecords,
  contentType: 'text/plain',
  freeForm: true,
} as const

export const usageOperations = {
  usage_view: {
    method: 'GET',
    path: '/x/v1/usage',
    tags,
    summary: "Report the use of the caller's silo, or of a project, in a range of days",
    permission: { silo: 'list', project: 'read' },
    query: { ...days, ...grouped, project: NameOrId.optional() },
    live: true,
    success: report,
  },
  usage_record_export: {
    method: 'GET',
    path: '/x/v1/usage/records',
    tags,
    summary: "Download the records of use of the caller's silo, or of a project, as CSV",
    permission: { silo: 'list', project: 'read' },
    query: { ...days, project: NameOrId.optional() },
    live: true,
    success: records,
  },
  system_usage_view: {
    method: 'GET',
    path: '/x/v1/system/usage',
    tags,
    summary: 'Report the use of the fleet, or of a silo, in a range of days',
    permission: { fleet: 'read', silo: 'read' },
    query: { ...days, ...grouped, silo: NameOrId.optional() },
    live: true,
    success: report,
  },
  system_usage_record_export: {
    method: 'GET',
    path: '/x/v1/system/usage/records',
    tags,
    summary: 'Download the records of use of the fleet, or of a silo, as CSV',
    permission: { fleet: 'read', silo: 'read' },
    query: { ...days, silo: NameOrId.optional() },
    live: true,
    success: records,
  },
} as const satisfies Record<string, Operation>
