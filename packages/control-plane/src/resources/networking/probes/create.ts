import type { Wire } from '@steading/api'
import { probeMessages } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import { type Row, findLive } from '../../../kernel/kinds.ts'
import { type LookupContext, lookup, requireFreeName } from '../../../kernel/lookup.ts'
import { insertNamed } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import { addressOfKey } from '../addresses/keys.ts'
import { selectPool } from '../external-ips/pools.ts'
import { takeAddress } from '../ip-pools/addresses.ts'
import { freeMac, takeSubnetAddress } from '../network-interfaces/subnet-addresses.ts'
import type { ProbeRow } from './wire.ts'

/** The name of the VPC and the subnet of a probe, which are the defaults of its project. */
const DEFAULT = 'default'
const automatic = { type: 'auto' } as const

/**
 * Only operators may read sleds, so callers need no permission for this lookup: they already know
 * the id of the sled.
 * @throws ApiError 404 for an unknown sled, 400 for one that is gone for good
 */
async function requireSled({ db }: Pick<Writing, 'db'>, id: string): Promise<void> {
  const sled = await findLive(db, 'sled', id, 'policy')
  if (!sled) throw fail.notFoundById('sled', id)
  if (sled.policy === 'expunged') throw fail.invalidRequest(probeMessages.expunged(id))
}

/** Creates a probe with an interface in the default subnet and an address of a pool of the silo. */
export async function createProbe(
  work: Writing & LookupContext<'vpc_subnet'>,
  project: Row<'project'>,
  body: Wire.ProbeCreate,
): Promise<ProbeRow> {
  const { db } = work
  await requireFreeName(db, 'probe', project.id, body.name)
  await requireSled(work, body.sled)
  const place = { vpc: DEFAULT, project: project.id }
  const subnet = await lookup(work, 'vpc_subnet', DEFAULT, place)
  const pool = await selectPool(db, project.silo_id, body.pool_selector)
  const key = await takeAddress(db, pool)
  return insertNamed(work, 'probe', body, {
    project_id: project.id,
    sled_id: body.sled,
    interface_id: crypto.randomUUID(),
    vpc_id: subnet.vpc_id,
    subnet_id: subnet.id,
    mac: await freeMac(db, subnet.vpc_id),
    ipv4: await takeSubnetAddress(db, subnet, 'ipv4', automatic),
    ipv6: await takeSubnetAddress(db, subnet, 'ipv6', automatic),
    ip: addressOfKey(key, pool.ip_version),
    ip_key: key,
    ip_pool_id: pool.id,
  })
}
