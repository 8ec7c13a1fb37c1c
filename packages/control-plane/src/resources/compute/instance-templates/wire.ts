import type { Wire } from '@steading/api'
import { identityOf } from '../../../kernel/identity.ts'
import { templateInstance, templateVariables } from './table.ts'
import type { TemplateRow } from './lookup.ts'

export const toWireTemplate = (row: TemplateRow): Wire.InstanceTemplate => ({
  ...identityOf(row),
  project_id: row.project_id,
  variable_count: row.variable_count,
})

export const toWireTemplateDetails = (row: TemplateRow): Wire.InstanceTemplateDetails => ({
  ...toWireTemplate(row),
  instance: templateInstance.read(row.instance),
  variables: templateVariables.read(row.variables),
})
