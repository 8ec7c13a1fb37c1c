/** What may be done to external addresses, and why not (control plane 8.7). */
import type { InstanceState } from './instances.ts'

/** Why a floating IP cannot be deleted; undefined if it can. */
export const floatingIpCannotDelete = (instanceId: string | null | undefined): string | undefined =>
  instanceId
    ? 'This floating IP must be detached from the instance before it can be deleted'
    : undefined

/** Whether addresses may be given to an instance, or taken from it, in a state. */
export const addressesMayChange = (state: InstanceState): boolean =>
  state === 'stopped' || state === 'running' || state === 'rebooting'
