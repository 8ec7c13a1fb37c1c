import type { PlannedChange } from '../reachability/what-changes.tsx'

/** An external subnet that would be attached to an instance, both by their IDs. */
export const plannedAttachment = (externalSubnet: string, instance: string): PlannedChange => ({
  body: { type: 'external_subnet_attach', externalSubnet, attach: { instance } },
})
