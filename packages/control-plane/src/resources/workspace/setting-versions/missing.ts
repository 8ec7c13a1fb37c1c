/** Resources that the parts of a version refer to and that no longer exist. */
import type { Wire } from '@steading/api'
import type { MissingKind, SettingName } from '@steading/api/rules'
import type { Actor } from '../../../kernel/authz/actor.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { maySeeUserOf } from '../../../kernel/events/visibility.ts'
import { rowsOf, readLive } from '../../../kernel/kinds.ts'
import { inChunks } from '../deletion/deletable-rows.ts'
import type { PolicyMember } from './contents.ts'

/** A part of a version, as stored. */
export interface Part {
  key: string
  value: unknown
}

type Reference = { kind: MissingKind; name: string }

/** Facts about the parts of a version, by key. */
export interface PartFacts {
  /** Names of members that the caller may see. */
  names: ReadonlyMap<string, string>
  missing: ReadonlyMap<string, readonly Reference[]>
}

const NONE: PartFacts = { names: new Map(), missing: new Map() }

async function members(db: Db, actor: Actor, parts: readonly Part[]): Promise<PartFacts> {
  const names = new Map<string, string>()
  const missing = new Map<string, Reference[]>()
  for (const kind of ['silo_user', 'silo_group'] as const) {
    const ids = parts
      .filter(({ value }) => (value as PolicyMember).identity_type === kind)
      .map(({ key }) => key)
    const rows = await inChunks(ids, (some) =>
      db
        .selectFrom(kind)
        .select(['id', 'display_name', 'silo_id', 'time_deleted'])
        .where('id', 'in', some)
        .execute(),
    )
    for (const { id, display_name, silo_id } of rows) {
      if (maySeeUserOf(actor, silo_id)) names.set(id, display_name)
    }
    const live = new Set(rows.filter((row) => row.time_deleted === null).map(({ id }) => id))
    for (const id of ids) if (!live.has(id)) missing.set(id, [{ kind, name: names.get(id) ?? id }])
  }
  return { names, missing }
}

/** Types of targets in rules and routes → the kind that they name, and the column of its parent. */
const named = {
  vpc: 'vpc',
  subnet: 'vpc_subnet',
  instance: 'instance',
  internet_gateway: 'internet_gateway',
} as const satisfies Record<string, MissingKind>

interface Host {
  type: string
  value?: string
}

/** References by name, from parts in a VPC. */
async function hosts(
  db: Db,
  vpc: { id: string; name: string; project_id: string },
  parts: readonly Part[],
  hostsOf: (value: never) => readonly Host[],
): Promise<PartFacts> {
  const wanted = parts.map(({ key, value }) => ({
    key,
    references: hostsOf(value as never).flatMap(({ type, value: name }): Reference[] => {
      const kind = named[type as keyof typeof named]
      return kind && name !== undefined ? [{ kind, name }] : []
    }),
  }))
  const known = new Set([`vpc ${vpc.name}`])
  for (const kind of ['vpc_subnet', 'instance', 'internet_gateway'] as const) {
    const names = wanted.flatMap(({ references }) =>
      references.filter((one) => one.kind === kind).map(({ name }) => name),
    )
    const rows = await inChunks(names, (some) => {
      const rowsIn =
        kind === 'instance'
          ? rowsOf(db, 'instance').where('its.project_id', '=', vpc.project_id)
          : rowsOf(db, kind as 'vpc_subnet').where('its.vpc_id', '=', vpc.id)
      return rowsIn.select('its.name').where('its.name', 'in', some).execute()
    })
    for (const { name } of rows) known.add(`${kind} ${name}`)
  }
  const missing = new Map<string, Reference[]>()
  for (const { key, references } of wanted) {
    const gone = new Map(
      references
        .filter(({ kind, name }) => !known.has(`${kind} ${name}`))
        .map((one) => [`${one.kind} ${one.name}`, one]),
    )
    if (gone.size > 0) missing.set(key, [...gone.values()])
  }
  return { names: NONE.names, missing }
}

const vpcOf = (db: Db, id: string) => readLive(db, 'vpc', id, 'id', 'name', 'project_id')

/** Looks up the resources that parts refer to. */
export async function factsOf(
  db: Db,
  actor: Actor,
  setting: SettingName,
  thing: string,
  parts: readonly Part[],
): Promise<PartFacts> {
  switch (setting) {
    case 'project_policy':
    case 'silo_policy':
    case 'fleet_policy':
      return members(db, actor, parts)
    case 'firewall_rules':
      return hosts(db, await vpcOf(db, thing), parts, (rule: Wire.VpcFirewallRuleUpdate) => [
        ...rule.targets,
        ...(rule.filters.hosts ?? []),
      ])
    case 'routes': {
      const { vpc_id } = await readLive(db, 'vpc_router', thing, 'vpc_id')
      return hosts(db, await vpcOf(db, vpc_id), parts, (route: Wire.RouterRouteCreate) => [
        route.destination,
        route.target,
      ])
    }
    default:
      return NONE
  }
}
