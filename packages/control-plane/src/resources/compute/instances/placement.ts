/**
 * Chooses the sled for an instance (control plane section 9): never one that its groups forbid,
 * preferably one that they prefer, and of those the emptiest.
 */
import { GiB, placementProblems, platformsFor } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { type ApiError, fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { movingDiskOf, requireDisksAtRest } from '../../storage/disks/at-rest.ts'
import { poolProblemsOf } from '../../storage/storage-pools/reach.ts'
import type { InstanceRow } from './wire.ts'

const noRoom = (reason: string): ApiError =>
  fail.insufficientCapacity(`Failed to place instance: ${reason}`)
const impossible = (reason: string): ApiError =>
  fail.invalidRequest(`Failed to place instance: ${reason}`)

/** The columns of an instance that decide where it is placed. */
export type Placeable = Pick<InstanceRow, 'id' | 'ncpus' | 'memory' | 'cpu_platform'>

/** The constraints of an instance's groups on sleds, given where their other members run. */
interface GroupConstraints {
  /** Affinity, `fail`. */
  required: Set<string>
  /** Affinity, `allow`. */
  preferred: Set<string>
  /** Anti-affinity, `fail`. */
  banned: Set<string>
  /** Anti-affinity, `allow`. */
  avoided: Set<string>
}

/** Assumptions that differ from the rows, for simulating a placement. */
export interface PlacementAssumptions {
  /** A sled that takes no instances and no longer holds any. */
  without?: string
  /** Instances that would have been placed on another sled. */
  moved: ReadonlyMap<string, { sledId: string; ncpus: number; memory: number }>
}
const noAssumptions: PlacementAssumptions = { moved: new Map() }

async function groupConstraintsOf(
  db: Db,
  instance: Placeable,
  { without, moved }: PlacementAssumptions,
): Promise<GroupConstraints> {
  const rows = await db
    .selectFrom('affinity_group_member as own')
    .innerJoin('affinity_group as its', 'its.id', 'own.group_id')
    .innerJoin('affinity_group_member as member', 'member.group_id', 'own.group_id')
    .innerJoin('instance as other', 'other.id', 'member.instance_id')
    .select(['its.kind', 'its.policy', 'other.id'])
    // A migrating instance counts at its destination.
    .select((eb) => eb.fn.coalesce('other.destination_sled_id', 'other.sled_id').as('sled_id'))
    .distinct()
    .where('own.instance_id', '=', instance.id)
    .where('other.id', '!=', instance.id)
    .where('other.sled_id', 'is not', null)
    .execute()
  const sledOf = ({ id, sled_id }: (typeof rows)[number]) =>
    sled_id === without ? moved.get(id)?.sledId : sled_id!
  const sleds = (kind: string, policy: string) =>
    new Set(
      rows
        .filter((row) => row.kind === kind && row.policy === policy)
        .flatMap((row) => sledOf(row) ?? []),
    )
  return {
    required: sleds('affinity', 'fail'),
    preferred: sleds('affinity', 'allow'),
    banned: sleds('anti_affinity', 'fail'),
    avoided: sleds('anti_affinity', 'allow'),
  }
}

/** A sled that may take an instance. */
interface Candidate {
  id: string
  /** Its serial number. */
  name: string
  freeThreads: number
  /** In bytes. */
  freeRam: number
  /** Why the sled cannot take the instance, whatever its groups say; undefined if it can. */
  problem: string | undefined
  /** The storage pool that it does not reach, if that is the problem. */
  unreached: string | undefined
}

/** Rounded down, because a sled with almost enough must not seem to have enough. */
const inGiB = (bytes: number): string => `${Math.floor((bytes / GiB) * 10) / 10} GiB`

/** The columns that decide about a sled. Rows of all sleds are read for each placement. */
const DECISIVE = [
  'id',
  'name',
  'slot',
  'cpu_platform',
  'policy',
  'provision_policy',
  'fenced',
  'responding',
  'updating',
  'usable_hardware_threads',
  'usable_physical_ram',
  'used_threads',
  'used_ram',
] as const satisfies (keyof Row<'sled'>)[]

function problemOf(
  sled: Pick<Row<'sled'>, (typeof DECISIVE)[number]>,
  { ncpus, memory, cpu_platform }: Placeable,
  { freeThreads, freeRam }: Pick<Candidate, 'freeThreads' | 'freeRam'>,
): string | undefined {
  if (sled.policy === 'expunged') return placementProblems.expunged
  if (sled.fenced === 1) return placementProblems.fenced
  if (sled.provision_policy === 'non_provisionable') return placementProblems.closed
  if (sled.responding === 0) return placementProblems.silent
  if (sled.updating === 1) return placementProblems.updating
  if (!platformsFor(cpu_platform).includes(sled.cpu_platform)) return placementProblems.processor
  if (freeThreads < ncpus) return placementProblems.threads(Math.max(0, freeThreads), ncpus)
  if (freeRam < memory) {
    return placementProblems.memory(inGiB(Math.max(0, freeRam)), inGiB(memory))
  }
  return undefined
}

/** All sleds that are not decommissioned, the emptiest first. */
async function judgeSleds(
  db: Db,
  row: Placeable,
  { without, moved }: PlacementAssumptions,
): Promise<Candidate[]> {
  const sleds = await db.selectFrom('sled').select(DECISIVE).where('state', '=', 'active').execute()
  const poolProblem = await poolProblemsOf(db, row.id)
  for (const { sledId, ncpus, memory } of moved.values()) {
    const sled = sleds.find(({ id }) => id === sledId)
    if (!sled) continue
    sled.used_threads += ncpus
    sled.used_ram += memory
  }
  return sleds
    .toSorted((a, b) => a.used_threads - b.used_threads || a.slot - b.slot)
    .map((sled) => {
      const freeThreads = sled.usable_hardware_threads - sled.used_threads
      const freeRam = sled.usable_physical_ram - sled.used_ram
      const { id, name } = sled
      const own =
        id === without ? placementProblems.here : problemOf(sled, row, { freeThreads, freeRam })
      const unreached = own === undefined ? poolProblem(name) : undefined
      const problem = own ?? unreached?.problem
      return { id, name, freeThreads, freeRam, problem, unreached: unreached?.pool }
    })
}

/** The best sled with room; among equals the first. */
function pickSled(
  roomy: readonly string[],
  { required, preferred, banned, avoided }: GroupConstraints,
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
    // The sort is stable, so among equal sleds the emptiest stays first.
    .toSorted((a, b) => rank(a) - rank(b))
  if (best === undefined) {
    throw noRoom('Could not find any valid sled on which this instance can be placed')
  }
  return best
}

/**
 * The sled for an instance.
 * @throws ApiError 507 if no sled has room, 400 if its groups contradict each other, 409 if it is to
 *   leave its sled while a disk of it is being moved
 */
export async function chooseSled(
  db: Db,
  row: Placeable,
  assumptions: PlacementAssumptions = noAssumptions,
): Promise<string> {
  if (assumptions.without !== undefined) await requireDisksAtRest(db, row.id)
  const sleds = await judgeSleds(db, row, assumptions)
  const roomy = sleds.flatMap(({ id, problem }) => (problem === undefined ? [id] : []))
  const pool = sleds.find(({ unreached }) => unreached !== undefined)?.unreached
  if (roomy.length === 0 && pool !== undefined) throw noRoom(placementProblems.poolNowhere(pool))
  return pickSled(roomy, await groupConstraintsOf(db, row, assumptions))
}

/**
 * The sleds as destinations of a running instance, the possible ones first. Its groups count as
 * they are now: an instance that must be beside another one does not leave it.
 */
export async function destinationsOf(
  db: Db,
  row: Placeable & Pick<InstanceRow, 'sled_id'>,
): Promise<Candidate[]> {
  const { required, banned } = await groupConstraintsOf(db, row, noAssumptions)
  const moving = await movingDiskOf(db, row.id)
  const problemOfDestination = ({ id, problem }: Candidate): string | undefined => {
    if (problem !== undefined) return problem
    if (moving) return placementProblems.diskMoves(moving.name)
    if (banned.has(id)) return placementProblems.banned
    return required.size > 0 && !required.has(id) ? placementProblems.required : undefined
  }
  const sleds = await judgeSleds(db, row, { without: row.sled_id!, moved: new Map() })
  return sleds
    .map((sled) => ({ ...sled, problem: problemOfDestination(sled) }))
    .toSorted((a, b) => Number(a.problem !== undefined) - Number(b.problem !== undefined))
}

/**
 * Checks that a sled can take a running instance.
 * @throws ApiError 507 if it cannot
 */
export async function requireDestination(
  db: Db,
  row: Placeable & Pick<InstanceRow, 'sled_id'>,
  sledId: string,
): Promise<void> {
  const sled = (await destinationsOf(db, row)).find(({ id }) => id === sledId)
  const problem = sled ? sled.problem : placementProblems.expunged
  if (problem !== undefined) throw noRoom(problem)
}
