/**
 * Chooses the sled for an instance (control plane section 9): never one that its groups forbid, one
 * that they prefer if possible, and of those the emptiest.
 */
import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { type ApiError, fail } from '../../kernel/errors.ts'
import type { InstanceRow } from './view.ts'

const noRoom = (reason: string): ApiError =>
  fail.insufficientCapacity(`Failed to place instance: ${reason}`)
const impossible = (reason: string): ApiError =>
  fail.invalidRequest(`Failed to place instance: ${reason}`)

/** What the groups of an instance ask of sleds, given where their other members run. */
interface Wishes {
  /** Affinity, `fail`. */
  required: Set<string>
  /** Affinity, `allow`. */
  preferred: Set<string>
  /** Anti-affinity, `fail`. */
  banned: Set<string>
  /** Anti-affinity, `allow`. */
  avoided: Set<string>
}

async function wishesOf(db: Db, instance: InstanceRow): Promise<Wishes> {
  const rows = await db
    .selectFrom('affinity_group_member as own')
    .innerJoin('affinity_group as its', 'its.id', 'own.group_id')
    .innerJoin('affinity_group_member as member', 'member.group_id', 'own.group_id')
    .innerJoin('instance as other', 'other.id', 'member.instance_id')
    .select(['its.kind', 'its.policy', 'other.sled_id'])
    .distinct()
    .where('own.instance_id', '=', instance.id)
    .where('other.id', '!=', instance.id)
    .where('other.sled_id', 'is not', null)
    .execute()
  const sleds = (kind: string, policy: string) =>
    new Set(
      rows.filter((row) => row.kind === kind && row.policy === policy).map((row) => row.sled_id!),
    )
  return {
    required: sleds('affinity', 'fail'),
    preferred: sleds('affinity', 'allow'),
    banned: sleds('anti_affinity', 'fail'),
    avoided: sleds('anti_affinity', 'allow'),
  }
}

/** Sleds in service with room for the instance, the emptiest first. */
async function sledsWithRoom(db: Db, row: InstanceRow): Promise<string[]> {
  const sleds = await db
    .selectFrom('sled')
    .select('id')
    .where('provision_policy', '=', 'provisionable')
    .where(sql<boolean>`used_threads + ${row.ncpus} <= usable_hardware_threads`)
    .where(sql<boolean>`used_ram + ${row.memory} <= usable_physical_ram`)
    .orderBy('used_threads')
    .orderBy('slot')
    .execute()
  return sleds.map(({ id }) => id)
}

/** The best of the sleds with room; of equal ones the first. */
function pickSled(
  roomy: readonly string[],
  { required, preferred, banned, avoided }: Wishes,
): string {
  const [only, another] = required
  if (another !== undefined) {
    throw impossible(
      'This instance belongs to an affinity group that requires it be placed on more than one sled. Instances can only placed on a single sled, so this is impossible to satisfy. Consider stopping other instances in the affinity group.',
    )
  }
  if (only !== undefined) {
    if (banned.has(only)) {
      throw impossible(
        'This instance belongs to an affinity group that requires it to be placed on a sled, but also belongs to an anti-affinity group that prevents it from being placed on that sled. These constraints are contradictory. Consider stopping instances in those affinity/anti-affinity groups, or changing group membership.',
      )
    }
    if (!roomy.includes(only)) {
      throw noRoom(
        "This instance must be placed on a specific sled to co-locate it with another instance in its affinity group, but that sled cannot current accept this instance. Consider stopping other instances in this instance's affinity groups, or changing its affinity group membership.",
      )
    }
    return only
  }
  // A sled that is both preferred and avoided counts as neither.
  const rank = (sled: string) => Number(avoided.has(sled)) - Number(preferred.has(sled))
  const [best] = roomy
    .filter((sled) => !banned.has(sled))
    // The sort is stable, so of equal sleds the emptiest stays first.
    .toSorted((a, b) => rank(a) - rank(b))
  if (best === undefined) {
    throw noRoom('Could not find any valid sled on which this instance can be placed')
  }
  return best
}

/**
 * The sled for an instance.
 * @throws ApiError 507 if no sled has room, 400 if its groups contradict each other
 */
export async function chooseSled(db: Db, row: InstanceRow): Promise<string> {
  return pickSled(await sledsWithRoom(db, row), await wishesOf(db, row))
}
