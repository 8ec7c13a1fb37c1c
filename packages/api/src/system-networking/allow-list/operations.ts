import type { Operation } from '../../operation.ts'
import { AllowList, AllowListUpdate } from './schemas.ts'

const tags = ['system/networking']
const path = '/v1/system/networking/allow-list'

export const allowListOperations = {
  networking_allow_list_view: {
    method: 'GET',
    path,
    tags,
    summary: 'Show the addresses from which the services may be reached',
    permission: { fleet: 'read' },
    success: { status: 200, schema: AllowList },
  },
  networking_allow_list_update: {
    method: 'PUT',
    path,
    tags,
    summary: 'Set the addresses from which the services may be reached',
    permission: { fleet: 'modify' },
    audited: { kind: 'fleet' },
    body: AllowListUpdate,
    versioned: 'allow_list',
    success: { status: 200, schema: AllowList },
  },
} as const satisfies Record<string, Operation>
