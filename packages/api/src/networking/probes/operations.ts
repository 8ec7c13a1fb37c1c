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
  list: {},
  search: {
    route: 'GET /v1/probes',
    pages: ListedProbe,
    items: 'Probe',
    columns: ['ip'],
    filters: { pool: NamesOrIds, sled: Uuids },
  },
  create: {
    summary: 'Create a probe on a sled, with an interface and an external address',
    permission: { project: 'create', vpc_subnet: 'read' },
    body: ProbeCreate,
    answer: Probe,
  },
  view: { permission: { project: 'read', probe: 'read' }, query },
  delete: {
    summary: 'Delete a probe and release its addresses',
    permission: { project: 'read', probe: 'modify' },
    query,
  },
})
