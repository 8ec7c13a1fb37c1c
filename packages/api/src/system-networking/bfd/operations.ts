import type { Operation } from '../../operation.ts'
import { BfdSessionDisable, BfdSessionEnable, BfdStatuses } from './schemas.ts'

const tags = ['system/networking']
const base = '/v1/system/networking'
const audited = { kind: 'bfd_session', name: 'remote' } as const

export const bfdOperations = {
  networking_bfd_enable: {
    method: 'POST',
    path: `${base}/bfd-enable`,
    tags,
    summary: 'Monitor the path from a switch to a router by BFD',
    permission: { bfd_session: 'create' },
    audited,
    body: BfdSessionEnable,
    success: { status: 204 },
  },
  networking_bfd_disable: {
    method: 'POST',
    path: `${base}/bfd-disable`,
    tags,
    summary: 'End a BFD session of a switch',
    permission: { bfd_session: 'modify' },
    audited,
    body: BfdSessionDisable,
    success: { status: 204 },
  },
  networking_bfd_status: {
    method: 'GET',
    path: `${base}/bfd-status`,
    tags,
    summary: 'List BFD sessions with their states',
    permission: { bfd_session: 'list' },
    live: true,
    success: { status: 200, schema: BfdStatuses },
  },
} as const satisfies Record<string, Operation>
