import { NamesOrIds } from '../../schema.ts'
import { FloatingIp, FloatingIpAttach, FloatingIpCreate, FloatingIpUpdate } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const floatingIpOperations = usual('floating_ip', { item: FloatingIp })({
  floating_ip_list: {},
  floating_ip_search: { columns: ['ip'], filters: { attached: ['yes', 'no'], pool: NamesOrIds } },
  floating_ip_create: { summary: 'Reserve an address for a project', body: FloatingIpCreate },
  floating_ip_view: {},
  floating_ip_update: { body: FloatingIpUpdate },
  floating_ip_delete: { summary: 'Release the address of a detached floating IP' },
  floating_ip_attach: {
    summary: 'Attach a floating IP to an instance',
    permission: { floating_ip: 'modify', instance: 'modify' },
    body: FloatingIpAttach,
  },
  floating_ip_detach: { summary: 'Detach a floating IP from its instance', evenIfFull: true },
})
