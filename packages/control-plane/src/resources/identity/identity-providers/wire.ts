import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'

type Provider = Row<'saml_identity_provider'>

export const identityOf = ({ id, name, description, time_created, time_modified }: Provider) => ({
  id,
  name,
  description,
  time_created,
  time_modified,
})

export const toWireProvider = (row: Provider): Wire.IdentityProvider => ({
  ...identityOf(row),
  provider_type: 'saml',
})
