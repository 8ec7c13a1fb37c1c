import { step } from '../../../kernel/job-steps.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { storedInPlaces } from '../../tenancy/projects/placed.ts'
import { deleteTemplate } from './delete.ts'
import { lookupTemplate } from './lookup.ts'
import { instanceTemplateTables } from './table.ts'
import { toWireTemplate } from './wire.ts'

declare module '../../../kernel/kinds.ts' {
  interface SharedTables {
    silo_instance_template: 'instance_template'
  }
}

const { inProject, inSilo } = storedInPlaces('instance_template', {
  tables: instanceTemplateTables,
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
