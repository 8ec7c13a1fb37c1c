import { NameOrId, NamesOrIds, Uuids } from '../../schema.ts'
import { ListedProbe, Probe, ProbeCreate, ProbeInfo } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

/** The project is required, even with an id. */
const query = { project: NameOrId }

export const probeOperations = usual('probe', {
  item: ProbeInfo,
  path: '/experimental/v1/probes/{probe}',
  tag: 'experimental',
})({
  probe_list: {},
  probe_search: {
    route: 'GET /v1/probes',
    required: ['project'],
    pages: ListedProbe,
    items: 'Probe',
    columns: ['ip'],
    filters: { pool: NamesOrIds, sled: Uuids },
  },
  probe_create: {
    summary: 'Create a probe on a sled, with an interface and an external address',
    permission: { project: 'create', vpc_subnet: 'read' },
    body: ProbeCreate,
    answer: Probe,
  },
  probe_view: { permission: { project: 'read', probe: 'read' }, query },
  probe_delete: {
    summary: 'Delete a probe and release its addresses',
    permission: { project: 'read', probe: 'modify' },
    query,
  },
})
