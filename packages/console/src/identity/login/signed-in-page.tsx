import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { currentUserQuery } from '../../data/session.ts'
import { tellOtherTabs } from '../session/other-tabs.ts'
import { LoginFrame, SiloHeading } from './login-frame.tsx'

/** The end of signing in beside a page: the page goes on, and this tab is not needed any more. */
export function SignedInPage() {
  const user = useQuery(currentUserQuery).data
  const isSignedIn = user !== undefined
  useEffect(() => {
    if (!isSignedIn) return
    tellOtherTabs()
    // A browser ignores this if the tab has forgotten what opened it.
    window.close()
  }, [isSignedIn])
  return (
    <LoginFrame>
      {user && (
        <>
          <SiloHeading silo={user.siloName} />
          <p>You are signed in. Close this tab and go on where you were.</p>
        </>
      )}
    </LoginFrame>
  )
}
