import type * as z from 'zod'
import { IpNet } from '../../network.ts'
import { ALLOW_LIST_MAX, allowListMessages } from './rules.ts'
import { dateTime, named, record, ruledArray, tagged } from '../../schema.ts'
import { usual } from '../../kinds/usual.ts'

const someNetworks = (ruledArray(IpNet, ALLOW_LIST_MAX) as z.ZodArray).check((ctx) => {
  if (ctx.value.length > 0) return
  ctx.issues.push({ code: 'custom', input: ctx.value, message: allowListMessages.empty })
})
const AllowedSourceIps = named(
  'AllowedSourceIps',
  tagged('allow', { any: {}, list: { ips: someNetworks } }),
)

const AllowList = record('AllowList', {
  allowed_ips: AllowedSourceIps,
  time_created: dateTime,
  time_modified: dateTime,
})
const AllowListUpdate = record('AllowListUpdate', { allowed_ips: AllowedSourceIps })

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
