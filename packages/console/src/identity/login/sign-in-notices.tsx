import { useQuery } from '@tanstack/react-query'
import { signedOutBecause, signInPageQuery } from '../../data/sign-in-page.ts'
import { Banner } from '../../ui/banner.tsx'
import { TextLink } from '../../ui/link.tsx'

/** Why a browser that had a session has to sign in. */
export function SignedOut({ silo }: { silo: string }) {
  const reason = useQuery(signInPageQuery(silo)).data?.signedOutBecause
  return reason ? (
    <Banner variant="notice" title="You were signed out" className="mb-6">
      {signedOutBecause[reason]}
    </Banner>
  ) : null
}

/** On a host name of its own, a silo is the only one. */
const hasOwnHost = /^[a-z0-9-]+\.sys\./.test(window.location.hostname)

/** The way to the login page of another silo. */
export const OtherSilo = ({ redirectUri }: { redirectUri: string | undefined }) =>
  hasOwnHost ? null : (
    <p className="mt-6 text-center">
      <TextLink to="/login/choose" search={redirectUri ? { redirect_uri: redirectUri } : {}}>
        Sign in to another silo
      </TextLink>
    </p>
  )
