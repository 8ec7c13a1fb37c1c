import type { Wire } from '@steading/api'
import { templateInstance, templateVariables } from './table.ts'
import type { TemplateRow } from './lookup.ts'

export const toWireTemplate = (row: TemplateRow): Wire.InstanceTemplate => ({
  id: row.id,
  name: row.name,
  description: row.description,
  time_created: row.time_created,
  time_modified: row.time_modified,
  project_id: row.project_id,
  variable_count: row.variable_count,
})

export const toWireTemplateDetails = (row: TemplateRow): Wire.InstanceTemplateDetails => ({
  ...toWireTemplate(row),
  instance: templateInstance.read(row.instance),
  variables: templateVariables.read(row.variables),
})
