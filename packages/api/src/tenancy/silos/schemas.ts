import type * as z from 'zod'
import { CertificateCreate } from '../../identity/certificates/schemas.ts'
import { FleetRole } from '../../identity/policies/schemas.ts'
import { SiloQuotasCreate } from '../quotas/schemas.ts'
import { type SiloRole, siloRoles } from '../../rules/roles.ts'
import {
  array,
  boolean,
  identity,
  identityCreate,
  map,
  named,
  oneOf,
  record,
  resultsPage,
  string,
} from '../../schema.ts'

export const identityModes = ['saml_jit', 'local_only', 'saml_scim'] as const
export const SiloIdentityMode = named('SiloIdentityMode', oneOf(...identityModes))

/** Silo role → fleet roles of its holders. */
const mappedFleetRoles = map((array(FleetRole) as z.ZodArray).meta({ uniqueItems: true })).check(
  (ctx) => {
    const unknown = Object.keys(ctx.value as object).find(
      (role) => !siloRoles.includes(role as SiloRole),
    )
    if (unknown === undefined) return
    const roles = siloRoles.map((role) => `\`${role}\``).join(', ')
    ctx.issues.push({
      code: 'custom',
      input: ctx.value,
      message: `unknown variant \`${unknown}\`, expected one of ${roles}`,
    })
  },
)

export const Silo = record('Silo', {
  ...identity,
  identity_mode: SiloIdentityMode,
  discoverable: boolean,
  mapped_fleet_roles: mappedFleetRoles,
  admin_group_name: string.nullable().optional(),
})
export const SiloResultsPage = resultsPage('Silo', Silo)

export const SiloCreate = record('SiloCreate', {
  ...identityCreate,
  identity_mode: SiloIdentityMode,
  discoverable: boolean,
  quotas: SiloQuotasCreate,
  tls_certificates: array(CertificateCreate),
  admin_group_name: string.nullable().optional(),
  mapped_fleet_roles: mappedFleetRoles.default({}),
})
