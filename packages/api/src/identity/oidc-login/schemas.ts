import { record, string } from '../../schema.ts'

/** The end of a session. */
export const SignedOut = record('SignedOut', {
  /**
   * Address at the OpenID Connect provider that ends the session there and leads back; null if the
   * session has no provider, if the provider is not set to it, publishes no such address, or cannot
   * be reached.
   */
  provider_url: string.nullable(),
})
