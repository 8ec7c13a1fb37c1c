import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { currentUserQuery } from '../../data/session.ts'
import { notifyOtherTabs } from '../session/other-tabs.ts'
import { LoginFrame, SiloHeading } from './login-frame.tsx'

/** End of signing in from another page, which continues; this tab is no longer needed. */
export function SignedInPage() {
  const user = useQuery(currentUserQuery).data
  const isSignedIn = user !== undefined
  useEffect(() => {
    if (!isSignedIn) return
    notifyOtherTabs()
    // Ignored by the browser if the tab has lost its opener.
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
