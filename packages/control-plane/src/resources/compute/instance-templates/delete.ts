import { rowsOf } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { templateKind, type TemplateRow } from './lookup.ts'

export async function deleteTemplate(
  { db, emit }: Pick<Writing, 'db' | 'emit'>,
  template: TemplateRow,
): Promise<void> {
  await db.deleteFrom('instance_template').where('id', '=', template.id).execute()
  await emit(templateKind(template), 'delete', template)
}

/** Deletes the templates of a project that is about to be deleted. */
export async function deleteTemplatesOf(writing: Writing, projectId: string): Promise<void> {
  const templates = await rowsOf(writing.db, 'instance_template')
    .selectAll()
    .where('its.project_id', '=', projectId)
    .execute()
  for (const template of templates) await deleteTemplate(writing, template)
}
