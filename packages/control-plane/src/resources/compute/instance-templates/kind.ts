import type { Wire } from '@steading/api'
import { kinds } from '@steading/api/rules'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { Listed } from '../../../kernel/db/schema.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { step } from '../../../kernel/job-steps.ts'
import { type StoredKind, rowsOf, type Row } from '../../../kernel/kinds.ts'
import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import { storedInPlaces, placedKinds } from '../../tenancy/projects/placed.ts'

export type TemplateRow = Row<'instance_template'>

export const {
  kindOf: templateKind,
  find: lookupTemplate,
  placeOf: placeOfTemplates,
} = placedKinds('instance_template', 'silo_instance_template')

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

declare module '../../../kernel/kinds.ts' {
  interface SharedTables {
    silo_instance_template: 'instance_template'
  }
}

export const deleteTemplate = (writing: Writing, template: TemplateRow): Promise<void> =>
  deleteRow(writing, templateKind(template), template)

/** Deletes the templates of a project that is about to be deleted. */
export async function deleteTemplatesOf(writing: Writing, projectId: string): Promise<void> {
  const templates = await rowsOf(writing.db, 'instance_template')
    .selectAll()
    .where('its.project_id', '=', projectId)
    .execute()
  for (const template of templates) await deleteTemplate(writing, template)
}

const { inProject, inSilo } = storedInPlaces('instance_template', {
  tables: {
    instance_template: {
      within: { silo_id: 'silo', project_id: 'project' },
      names: {
        instance_template_project_name: kinds.instance_template.type,
        instance_template_silo_name: kinds.silo_instance_template.type,
      },
    },
  },
  search: searchOf('instance_template_search', {
    searched: described,
    sorts: usualSorts,
    filters: {},
    toWire: each(toWireTemplate),
  }),
  steps: {
    delete: step('instance_template_delete', async (work, id) =>
      deleteTemplate(work, await lookupTemplate(work, id)),
    ),
  },
})

export const instance_template: StoredKind<'instance_template'> = inProject
export const silo_instance_template: StoredKind<'silo_instance_template'> = inSilo
