import type { SignInPage } from '@steading/api/client'
import { buttonClass } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'

export type Protocol = 'saml' | 'oidc'

/** The path that redirects a browser to a provider. */
export const providerRedirect = (silo: string, protocol: Protocol, provider: string): string =>
  `/login/${encodeURIComponent(silo)}/${protocol}/${encodeURIComponent(provider)}/redirect`

/** All providers of a silo. */
export const providersOf = ({ identityProviders, oidcProviders }: SignInPage) => [
  ...identityProviders.map(({ name }) => ({ name, protocol: 'saml' as const })),
  ...oidcProviders.map(({ name }) => ({ name, protocol: 'oidc' as const })),
]

type Props = {
  silo: string
  providers: ReturnType<typeof providersOf>
  redirectUri: string | undefined
  /** The page stays, and the user signs in in another tab. */
  inNewTab?: boolean
}

/** Links to the identity providers of a silo, outside of the app. */
export const ProviderLinks = ({ silo, providers, redirectUri, inNewTab }: Props) => (
  <div className="flex flex-col gap-2">
    {providers.map(({ name, protocol }) => {
      const path = providerRedirect(silo, protocol, name)
      const query = redirectUri ? `?${new URLSearchParams({ redirect_uri: redirectUri })}` : ''
      return (
        <a
          key={`${protocol} ${name}`}
          href={path + query}
          className={cx(buttonClass(inNewTab ? 'primary' : 'secondary'), 'h-10! w-full min-w-0')}
          // A tab needs its opener to close itself. Exposing it to the provider is safe: the
          // provider is trusted to say who signs in.
          {...(inNewTab && { target: '_blank', rel: 'opener' })}
        >
          <span className="truncate">Continue with {name}</span>
        </a>
      )
    })}
  </div>
)
