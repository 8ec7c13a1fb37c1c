/** Why a floating IP cannot be deleted; undefined if it can. */
export const floatingIpCannotDelete = (instanceId: string | null | undefined): string | undefined =>
  instanceId
    ? 'This floating IP must be detached from the instance before it can be deleted'
    : undefined
