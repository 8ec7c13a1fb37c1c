import type { Wire } from '@steading/api'
import { identityOf } from '../../../kernel/identity.ts'
import type { Row } from '../../../kernel/kinds.ts'

type Provider = Row<'saml_identity_provider'>

export const toWireProvider = (row: Provider): Wire.IdentityProvider => ({
  ...identityOf(row),
  provider_type: 'saml',
})
