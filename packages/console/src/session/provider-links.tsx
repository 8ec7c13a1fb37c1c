import type { SignInPage } from '@steading/api/client'
import { buttonClass } from '../ui/button.tsx'

type Props = {
  silo: string
  providers: SignInPage['identityProviders']
  redirectUri: string | undefined
}

/** The identity providers of a silo, which are outside of the app. */
export const ProviderLinks = ({ silo, providers, redirectUri }: Props) => (
  <div className="flex flex-col gap-2">
    {providers.map(({ name }) => {
      const path = `/login/${encodeURIComponent(silo)}/saml/${encodeURIComponent(name)}/redirect`
      const query = redirectUri ? `?${new URLSearchParams({ redirect_uri: redirectUri })}` : ''
      return (
        <a key={name} href={path + query} className={`${buttonClass()} h-10! w-full`}>
          Continue with {name}
        </a>
      )
    })}
  </div>
)
