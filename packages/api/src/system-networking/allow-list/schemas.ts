import type * as z from 'zod'
import { IpNet } from '../../network.ts'
import { ALLOW_LIST_MAX, allowListMessages } from './rules.ts'
import { dateTime, named, record, ruledArray, tagged } from '../../schema.ts'

const someNetworks = (ruledArray(IpNet, ALLOW_LIST_MAX) as z.ZodArray).check((ctx) => {
  if (ctx.value.length > 0) return
  ctx.issues.push({ code: 'custom', input: ctx.value, message: allowListMessages.empty })
})
const AllowedSourceIps = named(
  'AllowedSourceIps',
  tagged('allow', { any: {}, list: { ips: someNetworks } }),
)

export const AllowList = record('AllowList', {
  allowed_ips: AllowedSourceIps,
  time_created: dateTime,
  time_modified: dateTime,
})
export const AllowListUpdate = record('AllowListUpdate', { allowed_ips: AllowedSourceIps })
