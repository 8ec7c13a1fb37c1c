import { sql } from 'kysely'
import type { Handle } from '../../../kernel/search/handles.ts'

/**
 * External addresses of all kinds.
 * @param thing column with the id of the resource they find
 */
export const externalAddresses = (thing: 'id' | 'instance_id'): Handle[] => [
  {
    form: 'ip',
    table: 'external_ip',
    column: 'ip',
    thing,
    within: (projects) => sql`project_id in (${projects})`,
  },
]
