/** Rules for attaching addresses to an instance and detaching them (control plane 8.7). */
import {
  addressChangeRefusal,
  INSTANCE_MAX_EXTERNAL_IPS,
  type IpVersion,
  ipVersionName,
} from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { ApiError, fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { countRows } from '../../../kernel/db/rows.ts'

export type AttachedKind = 'ephemeral' | 'floating'

/** @throws ApiError if the state of the instance does not allow a change of its addresses */
export function requireSettled(
  verb: 'attach' | 'detach',
  kind: AttachedKind,
  { run_state }: Row<'instance'>,
): void {
  const refusal = addressChangeRefusal(verb, `${kind} IP`, run_state)
  if (refusal) throw new ApiError(refusal)
}

/**
 * @throws ApiError 400 if the instance has its maximum of addresses; outbound translation is not
 *   counted
 */
export async function requireRoom(db: Db, instance: Row<'instance'>): Promise<void> {
  const count = await countRows(
    db.selectFrom('external_ip').where('instance_id', '=', instance.id).where('kind', '!=', 'snat'),
  )
  if (count >= INSTANCE_MAX_EXTERNAL_IPS) {
    throw fail.invalidRequest(
      `an instance may not have more than ${INSTANCE_MAX_EXTERNAL_IPS} external IP addresses`,
    )
  }
}

/** @throws ApiError 400 for an address whose version the primary interface lacks */
export function requireStack(
  kind: AttachedKind,
  version: IpVersion,
  instance: Row<'instance'>,
  primary: Row<'network_interface'> | undefined,
): void {
  const has = version === 'v4' ? primary?.ipv4 : primary?.ipv6
  if (has) return
  const name = ipVersionName[version]
  throw fail.invalidRequest(
    `The ${kind} external IP is an ${name} address, but the instance with ID ${instance.id} does not have a primary network interface with a VPC-private ${name} address. Add a VPC-private ${name} address to the interface, or attach a different IP address`,
  )
}

/** @throws ApiError 400 for a floating address of another project than the instance */
export function requireSameProject(
  address: { project_id: string },
  instance: Row<'instance'>,
): void {
  if (address.project_id === instance.project_id) return
  throw fail.invalidRequest('floating IP must be in the same project as the instance')
}

export const primaryOf = (
  db: Db,
  instance: Row<'instance'>,
): Promise<Row<'network_interface'> | undefined> =>
  db
    .selectFrom('network_interface')
    .selectAll()
    .where('instance_id', '=', instance.id)
    .where('is_primary', '=', 1)
    .executeTakeFirst()
