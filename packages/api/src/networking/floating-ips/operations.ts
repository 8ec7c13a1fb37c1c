import { NamesOrIds } from '../../schema.ts'
import { FloatingIp, FloatingIpAttach, FloatingIpCreate, FloatingIpUpdate } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const floatingIpOperations = usual('floating_ip', { item: FloatingIp })({
  list: {},
  search: { columns: ['ip'], filters: { attached: ['yes', 'no'], pool: NamesOrIds } },
  create: { summary: 'Reserve an address for a project', body: FloatingIpCreate },
  view: {},
  update: { body: FloatingIpUpdate },
  delete: { summary: 'Release the address of a detached floating IP' },
  attach: {
    summary: 'Attach a floating IP to an instance',
    permission: { floating_ip: 'modify', instance: 'modify' },
    body: FloatingIpAttach,
  },
  detach: { summary: 'Detach a floating IP from its instance', evenIfFull: true },
})
