/** Rules of external subnets (control plane 8.9). */
import { type IpVersion, ipVersionName } from '../../rules/ip.ts'

export const INSTANCE_MAX_EXTERNAL_SUBNETS = 32

/** Reason that an external subnet cannot be deleted; undefined if it can. */
export const externalSubnetCannotDelete = (
  instanceId: string | null | undefined,
): string | undefined =>
  instanceId
    ? 'This external subnet must be detached from the instance before it can be deleted'
    : undefined

/** Refusals about external subnets. */
export const externalSubnetMessages = {
  hostBits: 'IP subnet must be a network address, with a host ID of zero.',
  notContained:
    'The requested IP subnet is not contained in any subnet pool available in the current silo.',
  length: (min: number, max: number) =>
    min === max
      ? `The subnet pool only allocates /${min} subnets of the address range that contains the requested IP subnet`
      : `The subnet pool only allocates subnets from /${min} to /${max} of the address range that contains the requested IP subnet`,
  overlaps: 'The requested IP subnet overlaps with an existing external subnet',
  noDefault: 'Must specify a subnet pool, as there is no linked default pool for the current silo',
  severalDefaults:
    'Must specify an IP version when there is more than one default subnet pool for the silo',
  exhausted: (length: number, pool: string) =>
    `Could not allocate a /${length} subnet from ${pool}`,
  otherProject: 'External subnet and instance must be in the same project',
  attachedElsewhere:
    'External subnets cannot be attached to one instance while still attached to another',
  tooMany: `An instance may not have more than ${INSTANCE_MAX_EXTERNAL_SUBNETS} attached subnets`,
  noStack: (version: IpVersion) =>
    `Cannot attach an ${ipVersionName[version]} external subnet to an instance that does not have a matching IP stack`,
  notAttached: 'External subnet is not attached to an instance',
  attached:
    'Cannot delete external subnet while it is attached to an instance. Detach it and try again.',
} as const
