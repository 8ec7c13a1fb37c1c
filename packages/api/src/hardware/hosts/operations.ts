import { usual } from '../../kinds/usual.ts'
import { HostStory } from '../host-fencing/schemas.ts'
import { hostStates } from './rules.ts'
import { Host, HostCreate, HostUpdate } from './schemas.ts'

export const hostOperations = usual('host', {
  item: Host,
  path: '/x/v1/system/hosts/{host_id}',
})({
  host_search: {
    summary: 'List hosts',
    allColumns: ['name', 'natural_name', 'address', 'state', 'time_created'],
    filters: { state: hostStates },
    // Connections change without a write.
    live: true,
  },
  host_create: {
    summary: 'Add a host; it is checked, and then runs instances',
    body: HostCreate,
  },
  host_view: { live: true },
  host_update: {
    summary:
      'Change the address of a host; one in service keeps the old one until the new one has passed the checks',
    body: HostUpdate,
  },
  host_check: {
    summary: 'Check a host again; one in service stays there, whatever is found',
  },
  host_fence: {
    summary: 'Switch a host off; its instances fail, and start elsewhere if their policy says so',
  },
  host_story: {
    route: 'GET story',
    summary: 'Show what happened around a host that did not answer',
    answer: HostStory,
  },
  host_delete: {
    summary: 'Remove a host that is not in service',
  },
})
