import { usual } from '../../kinds/usual.ts'
import { HostFencing, HostFencingUpdate } from './schemas.ts'

export const hostFencingOperations = usual('host', {
  item: HostFencing,
  id: 'host_fencing',
  path: '/x/v1/system/hosts/{host_id}',
})({
  host_fencing_view: {
    route: 'GET fencing',
    summary: 'Show how a host is switched off when it does not answer',
  },
  host_fencing_update: {
    route: 'PUT fencing',
    summary: 'Set how a host is switched off when it does not answer',
    body: HostFencingUpdate,
  },
  host_fencing_remove: {
    route: 'DELETE fencing',
    summary: 'Remove the fencing method of a host, with its password',
  },
  host_fencing_check: {
    route: 'POST fencing/check',
    summary: 'Ask the fencing method of a host for its power state',
    success: { status: 202, schema: HostFencing },
  },
})
