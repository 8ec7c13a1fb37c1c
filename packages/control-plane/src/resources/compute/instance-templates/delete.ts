import { rowsOf } from '../../../kernel/kinds.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import { templateKind, type TemplateRow } from './lookup.ts'

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
