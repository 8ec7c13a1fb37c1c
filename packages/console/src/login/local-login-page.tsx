import { useParams, useRouter, useSearch } from '@tanstack/react-router'
import { queryClient } from '../data/api.ts'
import { CredentialsForm } from '../session/credentials-form.tsx'
import { addToast } from '../ui/toasts.tsx'
import { DemoPeopleList } from './demo-people-list.tsx'
import { LoginFrame } from './login-frame.tsx'
import { OtherSilo } from './other-silo.tsx'
import { redirectTarget } from './redirect-target.ts'
import { SiloHeading } from './silo-heading.tsx'

export function LocalLoginPage() {
  const { silo } = useParams({ from: '/login/$silo/local' })
  const { redirect_uri: redirectUri } = useSearch({ from: '/login/$silo/local' })
  const router = useRouter()
  const enter = () => {
    // The cached data belongs to the user who was signed in before.
    queryClient.clear()
    addToast('Logged in')
    router.history.push(redirectTarget(redirectUri))
  }
  return (
    <LoginFrame>
      <SiloHeading silo={silo} />
      <DemoPeopleList />
      <CredentialsForm silo={silo} onSignedIn={enter} />
      <OtherSilo redirectUri={redirectUri} />
    </LoginFrame>
  )
}
