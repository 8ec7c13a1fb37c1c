import { samlMessages } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Saml, SamlSignIn } from '../../../kernel/ports/saml.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'

const unavailable = () => fail.notImplemented(samlMessages.unavailable)

/** @throws ApiError 501 on a host without SAML */
export function samlOf({ saml }: Pick<ControlPlaneServices, 'saml'>): Saml {
  if (!saml) throw unavailable()
  return saml
}

/** @throws ApiError 501 on a host that cannot sign users in through a provider */
export function samlSignInOf(services: Pick<ControlPlaneServices, 'saml'>): SamlSignIn {
  const { signIn } = samlOf(services)
  if (!signIn) throw unavailable()
  return signIn
}
