import { useQuery } from '@tanstack/react-query'
import { signedOutBecause, signInPageQuery } from '../../data/sign-in-page.ts'
import { Banner } from '../../ui/banner.tsx'

/** Why a browser that had a session has to sign in. */
export function SignedOut({ silo }: { silo: string }) {
  const reason = useQuery(signInPageQuery(silo)).data?.signedOutBecause
  return reason ? (
    <Banner variant="notice" title="You were signed out" className="mb-6">
      {signedOutBecause[reason]}
    </Banner>
  ) : null
}
