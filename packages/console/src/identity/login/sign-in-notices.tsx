import { useQuery } from '@tanstack/react-query'
import { signedOutBecause, signInPageQuery } from '../../data/sign-in-page.ts'
import { Banner } from '../../ui/banner.tsx'
import { TextLink } from '../../ui/link.tsx'

/** Explains why the session ended. */
export function SignedOut({ silo }: { silo: string }) {
  const reason = useQuery(signInPageQuery(silo)).data?.signedOutBecause
  return reason ? (
    <Banner variant="notice" title="You were signed out" className="mb-6">
      {signedOutBecause[reason]}
    </Banner>
  ) : null
}

/** A silo with its own host name is the only one there. */
const hasOwnHost = /^[a-z0-9-]+\.sys\./.test(window.location.hostname)

/** Link to the login page of another silo. */
export const OtherSilo = ({ redirectUri }: { redirectUri: string | undefined }) =>
  hasOwnHost ? null : (
    <p className="mt-6 text-center">
      <TextLink to="/login/choose" search={redirectUri ? { redirect_uri: redirectUri } : {}}>
        Sign in to another silo
      </TextLink>
    </p>
  )
