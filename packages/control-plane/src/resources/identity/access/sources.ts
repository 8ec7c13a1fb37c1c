/**
 * Sources of a permission: the role assignments that suffice for it, found with the code that
 * enforces permissions.
 */
import type { Wire } from '@steading/api'
import {
  access,
  type Action,
  FLEET_ID,
  type FleetRole,
  type Grant,
  type KindName,
  relations,
  type SiloRole,
} from '@steading/api/rules'
import { actorWith, type Assignment, grantsOf } from '../../../kernel/authz/actor.ts'
import type { Db } from '../../../kernel/db/database.ts'

export type PolicyPlace = Wire.PolicyPlace

/** A question: who may do this to resources of a kind in this place. */
export interface Question {
  kind: KindName
  action: Action
  place: PolicyPlace
  /** The silo of the place; undefined for the fleet. */
  siloId: string | undefined
}

/** A role assignment that suffices for the permission. */
export interface Source {
  grant: Grant
  place: PolicyPlace
  /** The user or group with the role. */
  identityId: string
  /** The silo whose users it applies to; undefined for all silos. */
  siloId: string | undefined
  countsAs: Grant
}

export const fleetPlace: PolicyPlace = { level: 'fleet', id: FLEET_ID, name: 'fleet' }

interface SiloRow {
  id: string
  name: string
  mapped_fleet_roles: string
}

const silos = (db: Db) =>
  db
    .selectFrom('silo')
    .select(['id', 'name', 'mapped_fleet_roles'])
    .where('time_deleted', 'is', null)

/** The grant by which a role gives the permission; undefined if it does not. */
function countsAs(
  { kind, action, place, siloId }: Question,
  assignment: Assignment,
  silo: Pick<SiloRow, 'id' | 'name' | 'mapped_fleet_roles'>,
): Grant | undefined {
  const identity = { userId: '', displayName: '', siloId: silo.id, siloName: silo.name }
  const actor = actorWith({ ...identity, mappedFleetRoles: silo.mapped_fleet_roles }, [assignment])
  const held = grantsOf(actor, {
    siloId,
    projectId: place.level === 'project' ? place.id : undefined,
  })
  // Grants of the role itself, without those that users have without a role.
  return access[kind][action].find((grant) => !relations.includes(grant) && held.has(grant))
}

/** The row of the permission matrix that decides. */
export const ruleOf = ({ kind, action }: Question): readonly Grant[] => access[kind][action]

/**
 * All assignments that give the permission.
 * @param fleetKnown whether the caller may see who has roles on the fleet
 */
export async function sourcesOf(
  db: Db,
  question: Question,
  fleetKnown: boolean,
): Promise<Source[]> {
  const { place, siloId } = question
  const byFleet = fleetKnown && ruleOf(question).some((grant) => grant.startsWith('fleet.'))
  // Roles on any silo may be mapped to roles on the fleet.
  let near = silos(db)
  near = near.where((eb) =>
    eb.or([
      ...(siloId ? [eb('id', '=', siloId)] : []),
      ...(byFleet ? [eb('mapped_fleet_roles', '<>', '{}')] : []),
      eb.lit(false),
    ]),
  )
  const found = new Map((await near.execute()).map((silo) => [silo.id, silo]))
  const noSilo: SiloRow = { id: '', name: '', mapped_fleet_roles: '{}' }
  const rows = await db
    .selectFrom('role_assignment')
    .selectAll()
    .where((eb) =>
      eb.or([
        ...(byFleet
          ? [eb.and([eb('resource_type', '=', 'fleet'), eb('resource_id', '=', FLEET_ID)])]
          : []),
        ...(found.size > 0
          ? [eb.and([eb('resource_type', '=', 'silo'), eb('resource_id', 'in', [...found.keys()])])]
          : []),
        ...(place.level === 'project'
          ? [eb.and([eb('resource_type', '=', 'project'), eb('resource_id', '=', place.id)])]
          : []),
        eb.lit(false),
      ]),
    )
    .orderBy('resource_type')
    .orderBy('role_name')
    .orderBy('identity_id')
    .execute()
  return rows.flatMap((row): Source[] => {
    const level = row.resource_type
    const silo =
      level === 'silo' ? found.get(row.resource_id)! : (found.get(siloId ?? '') ?? noSilo)
    // Roles that come from the fleet are hidden together with the fleet's.
    const visible = fleetKnown ? silo : { ...silo, mapped_fleet_roles: '{}' }
    const counts = countsAs(question, row, level === 'fleet' ? noSilo : visible)
    if (!counts) return []
    return [
      {
        grant: `${level}.${row.role_name as FleetRole & SiloRole}`,
        place:
          level === 'fleet'
            ? fleetPlace
            : level === 'silo'
              ? { level, id: silo.id, name: silo.name }
              : place,
        identityId: row.identity_id,
        siloId: level === 'fleet' ? undefined : level === 'silo' ? silo.id : siloId,
        countsAs: counts,
      },
    ]
  })
}
