import { BfdSessionDisable, BfdSessionEnable, BfdStatuses } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const audited = { kind: 'bfd_session', name: 'remote' } as const

export const bfdOperations = usual('bfd_session', {
  id: 'networking_bfd',
  path: '/v1/system/networking/bfd',
})({
  networking_bfd_enable: {
    route: 'POST /v1/system/networking/bfd-enable',
    summary: 'Monitor the path from a switch to a router by BFD',
    permission: { bfd_session: 'create' },
    audited,
    body: BfdSessionEnable,
    success: { status: 204 },
  },
  networking_bfd_disable: {
    route: 'POST /v1/system/networking/bfd-disable',
    summary: 'End a BFD session of a switch',
    audited,
    body: BfdSessionDisable,
    success: { status: 204 },
  },
  networking_bfd_status: {
    route: 'GET /v1/system/networking/bfd-status',
    summary: 'List BFD sessions with their states',
    permission: { bfd_session: 'list' },
    live: true,
    answer: BfdStatuses,
  },
})
