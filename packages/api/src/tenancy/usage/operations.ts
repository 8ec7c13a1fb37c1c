import { TIME_ZONE_MAX } from '../../compute/schedules/rules.ts'
import { NameOrId, ruledText, TagKey } from '../../schema.ts'
import { Day, UsageGrouping, UsageRecords, UsageReport } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

/** Days of a time zone, both included; UTC by default. */
const days = { first_day: Day, last_day: Day, time_zone: ruledText(TIME_ZONE_MAX).optional() }
const grouped = { group_by: UsageGrouping.optional(), tag_key: TagKey.optional() }
const project = NameOrId.optional()
const silo = NameOrId.optional()
const records = {
  status: 200,
  schema: UsageRecords,
  contentType: 'text/plain',
  freeForm: true,
} as const

export const usageOperations = {
  ...usual('silo', { item: UsageReport, id: 'usage', path: '/x/v1/usage' })({
    usage_view: {
      summary: "Report the use of the caller's silo, or of a project, in a range of days",
      permission: { silo: 'list', project: 'read' },
      query: { ...days, ...grouped, project },
      live: true,
    },
    usage_record_export: {
      route: 'GET records',
      summary: "Download the records of use of the caller's silo, or of a project, as CSV",
      permission: { silo: 'list', project: 'read' },
      query: { ...days, project },
      live: true,
      success: records,
    },
  }),
  ...usual('fleet', { item: UsageReport, id: 'system_usage', path: '/x/v1/system/usage' })({
    system_usage_view: {
      summary: 'Report the use of the fleet, or of a silo, in a range of days',
      permission: { fleet: 'read', silo: 'read' },
      query: { ...days, ...grouped, silo },
      live: true,
    },
    system_usage_record_export: {
      route: 'GET records',
      summary: 'Download the records of use of the fleet, or of a silo, as CSV',
      permission: { fleet: 'read', silo: 'read' },
      query: { ...days, silo },
      live: true,
      success: records,
    },
  }),
}
