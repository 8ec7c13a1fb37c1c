import { AllowList, AllowListUpdate } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const allowListOperations = usual('fleet', {
  item: AllowList,
  id: 'networking_allow_list',
  path: '/v1/system/networking/allow-list',
})({
  networking_allow_list_view: {
    summary: 'Show the addresses from which the services may be reached',
  },
  networking_allow_list_update: {
    summary: 'Set the addresses from which the services may be reached',
    audited: { kind: 'fleet' },
    body: AllowListUpdate,
    versioned: 'allow_list',
  },
})
