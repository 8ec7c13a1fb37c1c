import {
  containerHolds,
  contentsOf,
  deletionOrder,
  deletionRule,
  type DeletionStep,
  deletionWaitsFor,
  type Holder,
  isContainer,
  type JobStep,
  type JobTargetKind,
  type JobResourceKind,
  cascadesOf,
  type Obstacle,
} from '@steading/api/rules'
import { sql } from 'kysely'
import { type Actor, may, type Scope } from '../../../kernel/authz/actor.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { storedKind } from '../../../kernel/kinds.ts'
import { stepForbidden } from '../../../kernel/step-permission.ts'
import type { PlannedStep } from '../../../kernel/job-steps.ts'
import { idsIn } from '../../../kernel/db/rows.ts'
import { dependentsOf } from './dependents.ts'
import {
  accessOf,
  columnOf,
  holding,
  inChunks,
  insideOf,
  isOfInstance,
  type DeletableInstance,
  pairsOf,
  type DeletableRow,
  deletableRows,
  deletableRowsBy,
} from './deletable-rows.ts'

export interface DeletionWishes {
  /** Whether to also plan the steps that remove obstacles. */
  chain?: boolean
  /** Kinds of related resources to delete too, although they could stay. */
  with?: readonly JobResourceKind[]
}

/** A resource to be deleted. */
interface Going {
  thing: DeletableRow
  /** The resource that it is deleted along with; undefined for targets and their contents. */
  owner?: DeletableRow
  /** The reason why it cannot be deleted. */
  refusal?: string
}

/** The steps before any deletion. */
const preparing: DeletionStep[][] = [
  ['stop', 'stop_import'],
  ['unset_boot_disk'],
  ['detach', 'finalize', 'empty'],
]

const deletionRank = (kind: JobResourceKind): number =>
  preparing.length + deletionOrder.indexOf(kind)

const rankOf = (step: JobStep, kind: JobResourceKind): number =>
  step === 'delete'
    ? deletionRank(kind)
    : preparing.findIndex((steps) => steps.includes(step as DeletionStep))

/** The state of planning one deletion. */
class Plan {
  readonly #db: Db
  readonly #actor: Actor
  readonly #chain: boolean
  readonly #going = new Map<string, Going>()
  /** Instances that stay and hold attached resources that are to be deleted. */
  readonly #holders = new Map<string, DeletableInstance>()
  /** Project → its silo. */
  readonly #silos = new Map<string, string>()
  /** Resource kept by instances → the first of these instances that stays. */
  readonly #keptBy = new Map<string, DeletableRow>()
  /** Resource → resources of its kind that have to be deleted before it. */
  readonly #earlier = new Map<string, string[]>()
  /** Project, VPC or subnet → the first resource in it that stays. */
  readonly #keptInside = new Map<string, DeletableRow>()
  /** Resource → the reason why its deletion is refused: its contents stay. */
  readonly #inhabited = new Map<string, string>()

  constructor(db: Db, actor: Actor, chain: boolean) {
    this.#db = db
    this.#actor = actor
    this.#chain = chain
  }

  #scopeOf({ silo_id, project_id }: DeletableRow): Scope {
    // Pools belong to no silo.
    if (project_id === null) return silo_id === null ? {} : { siloId: silo_id }
    return { siloId: silo_id ?? this.#silos.get(project_id)!, projectId: project_id }
  }

  #isSeen(thing: DeletableRow): boolean {
    return may(this.#actor, 'read', accessOf(thing), this.#scopeOf(thing))
  }

  #forbidden(step: JobStep, thing: DeletableRow): string | undefined {
    return stepForbidden(this.#actor, step, thing.kind, this.#scopeOf(thing))
  }

  /** Adds resources; a resource already added as a target remains without an owner. */
  #add(things: Going[]): void {
    for (const going of things) {
      if (this.#going.has(going.thing.id) || this.#goesAnyway(going.thing)) continue
      this.#going.set(going.thing.id, going)
    }
  }

  /** Whether a resource is part of an instance that is deleted. */
  #goesAnyway({ kind, instance_id }: DeletableRow): boolean {
    return deletionRule(kind).goesWith === 'instance' && this.#going.has(instance_id ?? '')
  }

  #of(kind: JobResourceKind): Going[] {
    return [...this.#going.values()].filter(({ thing }) => thing.kind === kind)
  }

  async #learnSilos(things: DeletableRow[]): Promise<void> {
    const ids = things.flatMap(({ project_id: id }) => (id && !this.#silos.has(id) ? [id] : []))
    const projects = await inChunks(ids, (some) =>
      this.#db.selectFrom('project').select(['id', 'silo_id']).where('id', 'in', some).execute(),
    )
    for (const { id, silo_id } of projects) this.#silos.set(id, silo_id)
  }

  /** Collects the targets, their contents, and the resources to delete along with them. */
  async collect(
    kind: JobTargetKind,
    ids: string[],
    cascades: readonly JobResourceKind[],
  ): Promise<void> {
    const found = new Map(
      (await deletableRowsBy(this.#db, kind, 'id', ids)).map((thing) => [thing.id, thing]),
    )
    const targets = ids.flatMap((id) => found.get(id) ?? [])
    await this.#learnSilos(targets)
    this.#add(targets.map((thing) => ({ thing })))
    // No steps are planned for a target that the caller may not delete.
    const allowed = targets.filter((target) => !this.#forbidden('delete', target))
    if (isContainer(kind)) {
      if (!this.#chain) return this.#learnContents(kind, allowed)
      await this.#addContents(kind, allowed)
    }
    for (const one of cascadesOf(kind)) {
      if (!cascades.includes(one)) continue
      const dependents = await dependentsOf(this.#db, one, allowed)
      await this.#learnSilos(dependents.map(({ thing }) => thing))
      this.#add(dependents.filter(({ thing }) => this.#isSeen(thing)))
    }
  }

  async #addContents(container: JobResourceKind, containers: DeletableRow[]): Promise<void> {
    const ids = containers.map(({ id }) => id)
    for (const kind of contentsOf(container)) {
      const things = await deletableRowsBy(this.#db, kind, insideOf(container), ids)
      this.#add(things.map((thing) => ({ thing })))
      await this.#addContents(kind, things)
    }
  }

  /** Reads, for each container, the reason with which the API would refuse its deletion. */
  async #learnContents(container: JobResourceKind, containers: DeletableRow[]): Promise<void> {
    for (const kind of contentsOf(container)) {
      const column = sql.ref<string>(`its.${columnOf(kind, insideOf(container))}`)
      const unknown = containers.map(({ id }) => id).filter((id) => !this.#inhabited.has(id))
      const firsts = await inChunks(unknown, (some) =>
        deletableRows(this.#db, kind)
          .select(column.as('container_id'))
          .select((eb) => eb.fn.min('its.name').as('name'))
          .where(column, 'in', some)
          .groupBy(column)
          .execute(),
      )
      for (const { container_id, name } of firsts) {
        this.#inhabited.set(container_id, containerHolds(container, kind, name))
      }
    }
  }

  /** Reads the instances that stay and hold resources to be deleted. */
  async #learnHolders(): Promise<void> {
    const ids = [...this.#going.values()].flatMap(({ thing: { instance_id: id } }) =>
      id && !this.#going.has(id) ? [id] : [],
    )
    for (const instance of await deletableRowsBy(this.#db, 'instance', 'id', ids)) {
      this.#holders.set(instance.id, instance as DeletableInstance)
    }
  }

  /** Reads which resources of a kind are kept by instances that stay. */
  async #learnKept(kind: JobResourceKind): Promise<void> {
    const { keptBy } = storedKind(kind).deletion!
    if (!keptBy || this.#of(kind).length === 0) return
    const instances = this.#of('instance')
    const kept = instances.filter(({ refusal }) => refusal !== undefined)
    const found = await pairsOf(
      this.#db,
      keptBy,
      'instance_id',
      kept.map(({ thing }) => thing.id),
    )
    for (const { id, instance_id } of found) {
      if (!this.#keptBy.has(id)) this.#keptBy.set(id, this.#going.get(instance_id)!.thing)
    }
  }

  /** Reads the order of deletions among resources of a kind. */
  async #learnEarlier(kind: JobResourceKind): Promise<void> {
    const { earlier } = storedKind(kind).deletion!
    if (!earlier) return
    const ids = this.#of(kind).map(({ thing }) => thing.id)
    for (const { id, later_id } of await pairsOf(this.#db, earlier, 'later_id', ids)) {
      this.#earlier.set(later_id, [...(this.#earlier.get(later_id) ?? []), id])
    }
  }

  #earlierThan = ({ id }: DeletableRow): readonly string[] => this.#earlier.get(id) ?? []

  #holderOf(thing: DeletableRow): Holder | undefined {
    const holder = this.#holders.get(thing.instance_id ?? '')
    return holder && holding(holder, thing)
  }

  /**
   * The obstacle to the deletion of a resource, apart from other resources that are deleted too.
   */
  #obstacleOf(thing: DeletableRow): Obstacle | undefined {
    const inhabited = this.#inhabited.get(thing.id)
    if (inhabited) return { reason: inhabited, steps: [] }
    return deletionRule(thing.kind).obstacle?.({
      state: thing.state,
      holder: this.#holderOf(thing),
      released: this.#going.has(thing.instance_id ?? ''),
      othersStay: this.#earlierThan(thing).some((id) => !this.#going.has(id)),
    })
  }

  /** A resource that stays and would have to be deleted before the given one. */
  #waitsFor({ thing, owner }: Going): DeletableRow | undefined {
    for (const id of [thing.instance_id, owner?.id, ...this.#earlierThan(thing)]) {
      const going = this.#going.get(id ?? '')
      if (going?.refusal !== undefined) return going.thing
    }
    return this.#keptBy.get(thing.id) ?? this.#keptInside.get(thing.id)
  }

  #refusalOf(going: Going): string | undefined {
    const { thing } = going
    const forbidden = this.#forbidden('delete', thing)
    if (forbidden) return forbidden
    const cause = this.#waitsFor(going)
    if (cause) return deletionWaitsFor(cause.kind, cause.name)
    const obstacle = this.#obstacleOf(thing)
    if (!obstacle) return undefined
    const { reason, steps } = obstacle
    if (!this.#chain || steps.length === 0) return reason
    return steps.map((step) => this.#forbidden(step, this.#doneTo(step, thing))).find(Boolean)
  }

  /** Decides which resources can be deleted. */
  async decide(): Promise<void> {
    await this.#learnHolders()
    for (const kind of deletionOrder) {
      await this.#learnKept(kind)
      await this.#learnEarlier(kind)
      const isLater = ({ thing }: Going) => this.#earlierThan(thing).length > 0
      const things = this.#of(kind)
      for (const going of [...things.filter((one) => !isLater(one)), ...things.filter(isLater)]) {
        going.refusal = this.#refusalOf(going)
        if (going.refusal === undefined) continue
        const { vpc_subnet_id, vpc_id, project_id } = going.thing
        for (const container of [vpc_subnet_id, vpc_id, project_id]) {
          // The reason names the first resource that stays.
          if (container && !this.#keptInside.has(container)) {
            this.#keptInside.set(container, going.thing)
          }
        }
      }
    }
    // Projects come last, except for the images that are deleted along with them.
    for (const going of this.#of('image')) {
      if (going.owner?.kind === 'project') going.refusal ??= this.#refusalOf(going)
    }
  }

  /**
   * The resource on which a preparing step acts: to free an attached resource, its instance is
   * stopped and its boot disk unset.
   */
  #doneTo(step: DeletionStep, thing: DeletableRow): DeletableRow {
    return isOfInstance(step) ? (this.#holders.get(thing.instance_id ?? '') ?? thing) : thing
  }

  #rankAfter({ kind }: DeletableRow, owner: DeletableRow): number {
    return Math.max(deletionRank(kind), deletionRank(owner.kind) + 0.5)
  }

  steps(): PlannedStep[] {
    const steps = new Map<string, Ranked>()
    const add = (
      step: JobStep,
      { kind, id, name, inside }: DeletableRow,
      more: Partial<Ranked> = {},
    ) =>
      steps.set(`${step} ${id}`, {
        step,
        thing: { kind, id, name, inside },
        stage: 0,
        rank: rankOf(step, kind),
        ...more,
      })
    for (const { thing, owner, refusal } of this.#going.values()) {
      add('delete', thing, {
        ...(refusal === undefined ? {} : { refusal }),
        // A resource that is deleted along with another one comes after it, and stays if that
        // deletion fails.
        ...(owner ? { dependsOn: owner.id, rank: this.#rankAfter(thing, owner) } : {}),
        ...(this.#earlierThan(thing).length > 0 ? { rank: deletionRank(thing.kind) + 0.25 } : {}),
      })
      if (refusal !== undefined) continue
      for (const step of this.#obstacleOf(thing)?.steps ?? []) add(step, this.#doneTo(step, thing))
    }
    return inStages([...steps.values()])
  }
}

type Ranked = PlannedStep & { rank: number }

/** Sorts steps and numbers their stages, without gaps. */
function inStages(steps: Ranked[]): PlannedStep[] {
  const ranks = [...new Set(steps.map(({ rank }) => rank))].toSorted((a, b) => a - b)
  const stages = new Map(ranks.map((rank, stage) => [rank, stage]))
  return steps
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ rank, ...step }) => ({ ...step, stage: stages.get(rank)! }))
}

/**
 * Plans the deletion of some resources: the steps and their order. Steps that the caller may not
 * take, or that are not possible at present, have a refusal.
 * @param targets resources of one kind that the caller may read
 */
export async function planDeletion(
  db: Db,
  actor: Actor,
  kind: JobTargetKind,
  targets: readonly { id: string }[],
  { chain = false, with: cascades = [] }: DeletionWishes = {},
): Promise<PlannedStep[]> {
  const plan = new Plan(db, actor, chain)
  await plan.collect(kind, idsIn(targets), cascades)
  await plan.decide()
  return plan.steps()
}
