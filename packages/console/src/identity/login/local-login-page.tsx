import { useQuery } from '@tanstack/react-query'
import { useParams, useRouter, useSearch } from '@tanstack/react-router'
import { queryClient } from '../../data/api.ts'
import { signInPageQuery } from '../../data/sign-in-page.ts'
import { CredentialsForm } from '../session/credentials-form.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { DemoPeopleList } from './demo-people-list.tsx'
import { LoginFrame, SiloHeading } from './login-frame.tsx'
import { OtherSilo, SignedOut } from './sign-in-notices.tsx'
import { ProviderLinks, providersOf } from '../session/provider-links.tsx'
import { redirectTarget } from './redirect-target.ts'

export function LocalLoginPage() {
  const { silo } = useParams({ from: '/login/$silo/local' })
  const { redirect_uri: redirectUri } = useSearch({ from: '/login/$silo/local' })
  const router = useRouter()
  const page = useQuery(signInPageQuery(silo)).data
  const providers = page ? providersOf(page) : []
  const enter = () => {
    // The cached data belongs to the previous user.
    queryClient.clear()
    addToast('Logged in')
    router.history.push(redirectTarget(redirectUri))
  }
  return (
    <LoginFrame>
      <SiloHeading silo={silo} />
      <DemoPeopleList />
      <SignedOut silo={silo} />
      {page && !page.local && providers.length === 0 ? (
        <p>This silo has no identity provider yet, so its users cannot sign in.</p>
      ) : (
        (!page || page.local) && (
          <CredentialsForm silo={silo} passkeys={page?.passkeys} onSignedIn={enter} />
        )
      )}
      {page && <ProviderLinks silo={silo} providers={providers} redirectUri={redirectUri} />}
      <OtherSilo redirectUri={redirectUri} />
    </LoginFrame>
  )
}
