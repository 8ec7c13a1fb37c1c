import { isUuid } from '@steading/api/rules'
import { apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

export const templateListDefinition: ListDefinition<'instanceTemplateSearch'> = {
  kind: 'instance_template',
  id: 'instance-templates',
  operation: 'instanceTemplateSearch',
}

export const siloTemplateListDefinition: ListDefinition<'instanceTemplateSearch'> = {
  ...templateListDefinition,
  kind: 'silo_instance_template',
  id: 'silo-instance-templates',
}

/**
 * The arguments that select a template: by name in the project or the silo, or by ID.
 * @param project undefined on the pages of the silo
 */
export const templateArgs = (template: string, project?: string) => ({
  path: { instanceTemplate: template },
  query: project && !isUuid(template) ? { project } : {},
})

export const templateQuery = (template: string, project?: string) =>
  apiQuery('instanceTemplateView', templateArgs(template, project))
