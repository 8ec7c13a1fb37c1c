import type * as z from 'zod'
import { unknownVariant } from '../../describe-json.ts'
import { SILO_CERTIFICATES_MAX } from './rules.ts'
import { NAME_MAX } from '../../rules/names.ts'
import { CertificateCreate } from '../../identity/certificates/schemas.ts'
import { FleetRole } from '../../identity/policies/schemas.ts'
import { SiloQuotasCreate } from '../quotas/schemas.ts'
import { fleetRoles, type SiloRole, siloRoles } from '../../rules/roles.ts'
import {
  array,
  boolean,
  identity,
  identityCreate,
  map,
  named,
  oneOf,
  record,
  shortText,
  string,
} from '../../schema.ts'
import { usual } from '../../kinds/usual.ts'

const identityModes = ['saml_jit', 'local_only', 'saml_scim'] as const
const SiloIdentityMode = named('SiloIdentityMode', oneOf(...identityModes))

/** Silo role → fleet roles of its holders. */
const mappedFleetRoles = (
  map(
    array(FleetRole, fleetRoles.length, { uniqueItems: true }),
    siloRoles.length,
    NAME_MAX,
  ) as z.ZodRecord
).check((ctx) => {
  const unknown = Object.keys(ctx.value as object).find(
    (role) => !siloRoles.includes(role as SiloRole),
  )
  if (unknown === undefined) return
  ctx.issues.push({
    code: 'custom',
    input: ctx.value,
    message: unknownVariant(unknown, siloRoles),
  })
})

const Silo = record('Silo', {
  ...identity,
  identity_mode: SiloIdentityMode,
  discoverable: boolean,
  mapped_fleet_roles: mappedFleetRoles,
  admin_group_name: string.nullable().optional(),
})

const SiloCreate = record('SiloCreate', {
  ...identityCreate,
  identity_mode: SiloIdentityMode,
  discoverable: boolean,
  quotas: SiloQuotasCreate,
  tls_certificates: array(CertificateCreate, SILO_CERTIFICATES_MAX),
  admin_group_name: shortText.nullable().optional(),
  mapped_fleet_roles: mappedFleetRoles.default({}),
})

export const siloOperations = usual('silo', { item: Silo, path: '/v1/system/silos/{silo}' })({
  silo_list: { summary: 'List the discoverable silos', permission: { fleet: 'list' } },
  silo_search: { permission: { fleet: 'list' }, filters: { identity_mode: identityModes } },
  silo_create: {
    // The handler requires more for mapped fleet roles, which can create fleet admins.
    permission: { fleet: 'create' },
    body: SiloCreate,
  },
  silo_view: {},
  silo_delete: { summary: 'Delete a silo without projects, with its users and groups' },
})
