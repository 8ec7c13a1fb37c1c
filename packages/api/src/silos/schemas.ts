import type * as z from 'zod'
import { FleetRole } from '../policies/schemas.ts'
import {
  array,
  boolean,
  identity,
  map,
  named,
  oneOf,
  record,
  resultsPage,
  string,
} from '../schema.ts'

export const SiloIdentityMode = named(
  'SiloIdentityMode',
  oneOf('saml_jit', 'local_only', 'saml_scim'),
)

export const Silo = record('Silo', {
  ...identity,
  identity_mode: SiloIdentityMode,
  discoverable: boolean,
  /** Silo role → fleet roles that its holders get. */
  mapped_fleet_roles: map((array(FleetRole) as z.ZodArray).meta({ uniqueItems: true })),
  admin_group_name: string.nullable().optional(),
})
export const SiloResultsPage = resultsPage('Silo', Silo)
