import { sql } from 'kysely'
import type { Handle, HandleForm } from '../../../kernel/search/handles.ts'

const handle = (form: HandleForm, column: string): Handle => ({
  form,
  table: 'network_interface',
  column,
  thing: 'instance_id',
  within: (projects) => sql`vpc_id in (
    select id from vpc where time_deleted is null and project_id in (${projects}))`,
})

/** The values by which an instance is found: the ids of its interfaces, and their addresses. */
export const interfaceHandles: Handle[] = [
  handle('id', 'id'),
  handle('mac', 'mac'),
  handle('ip', 'ipv4'),
  handle('ip', 'ipv6'),
]
