import type { Wire } from '@steading/api'
import { kinds } from '@steading/api/rules'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { Listed } from '../../../kernel/db/schema.ts'
import type { StoredTables } from '../../../kernel/db/tables.ts'

/** Removed at once when the template is deleted. */
export interface InstanceTemplateTable extends Listed {
  silo_id: string
  /** Null for a template of the whole silo. */
  project_id: string | null
  /** JSON. */
  instance: string
  /** JSON. */
  variables: string
  /** Number of the variables, which lists show without reading them. */
  variable_count: number
}

export const templateInstance = jsonColumn<Record<string, unknown>>()
export const templateVariables = jsonColumn<Wire.InstanceTemplateVariable[]>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    instance_template: InstanceTemplateTable
  }
}

export const instanceTemplateTables: StoredTables = {
  instance_template: {
    within: { silo_id: 'silo', project_id: 'project' },
    names: {
      instance_template_project_name: kinds.instance_template.type,
      instance_template_silo_name: kinds.silo_instance_template.type,
    },
  },
}
