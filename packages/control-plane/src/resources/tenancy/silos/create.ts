import type { Wire } from '@steading/api'
import { FLEET_ID, groupNameProblem, RESTORABLE_HOURS_DEFAULT } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { newNamed } from '../../../kernel/named-rows.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import { createCertificates } from '../../identity/certificates/create.ts'
import { createGroup } from '../../identity/groups/create.ts'
import { quotaColumns } from '../quotas/quotas.ts'
import { adminRole, giveRoles } from '../../identity/policies/assignments.ts'
import { mappedFleetRoles } from '../../../kernel/authz/actor.ts'

type Wanted = Wire.SiloCreate

/** Drops roles without a fleet role; a role named twice counts once. */
const distinctRoles = (mapped: NonNullable<Wanted['mapped_fleet_roles']>) =>
  Object.fromEntries(
    Object.entries(mapped)
      .map(([role, fleetRoles]) => [role, [...new Set(fleetRoles)]] as const)
      .filter(([, fleetRoles]) => fleetRoles.length > 0),
  )

/**
 * The group whose members are the first admins of a silo. In a silo with SCIM, the provider creates
 * the group.
 */
async function createAdminGroup(writing: Writing, silo: Row<'silo'>): Promise<void> {
  if (silo.admin_group_name === null || silo.identity_mode === 'saml_scim') return
  const { id } = await createGroup(writing, {
    silo_id: silo.id,
    display_name: silo.admin_group_name,
  })
  await giveRoles(writing.db, [adminRole(silo.id, id)])
}

/** @throws ApiError 400 for a negative quota, a taken name, a blank name of the group, or a certificate that does not fit */
export async function createSilo(
  work: Writing & Pick<Work, 'services'>,
  wanted: Wanted,
): Promise<Row<'silo'>> {
  const admins = wanted.admin_group_name ?? null
  const problem = admins === null ? undefined : groupNameProblem(admins)
  if (problem) throw fail.invalidValue('admin_group_name', problem)
  const silo: Row<'silo'> = {
    ...newNamed(work, wanted),
    time_deleted: null,
    identity_mode: wanted.identity_mode,
    discoverable: wanted.discoverable ? 1 : 0,
    listed_in: wanted.discoverable ? FLEET_ID : null,
    admin_group_name: admins,
    mapped_fleet_roles: mappedFleetRoles.write(distinctRoles(wanted.mapped_fleet_roles ?? {})),
    ...quotaColumns('create', wanted.quotas),
    used_cpus: 0,
    used_memory: 0,
    used_storage: 0,
    device_token_max_ttl_seconds: null,
    restorable_hours: RESTORABLE_HOURS_DEFAULT,
    members_use_silo_images: 1,
    storage_pool_id: null,
  }
  await work.db.insertInto('silo').values(silo).execute()
  await work.emit('silo', 'create', { ...silo, silo_id: silo.id })
  await createAdminGroup(work, silo)
  await createCertificates(work, silo, wanted.tls_certificates)
  return silo
}
