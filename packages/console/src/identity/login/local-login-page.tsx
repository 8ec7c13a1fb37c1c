import { useQuery } from '@tanstack/react-query'
import { useParams, useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { queryClient } from '../../data/api.ts'
import { signInPageQuery } from '../../data/sign-in-page.ts'
import { CredentialsForm, rememberedUsername } from '../session/credentials-form.tsx'
import { Button } from '../../ui/button.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { addToast } from '../../ui/toasts.tsx'
import { DemoPeopleList } from './demo-people-list.tsx'
import { LoginFrame, SiloHeading } from './login-frame.tsx'
import { OtherSilo, SignedOut } from './sign-in-notices.tsx'
import { ProviderLinks, providersOf } from '../session/provider-links.tsx'
import { redirectTarget } from './redirect-target.ts'

const ForgottenPassword = lazyPart(() => import('./forgotten-password.tsx'))

export function LocalLoginPage() {
  const { silo } = useParams({ from: '/login/$silo/local' })
  const { redirect_uri: redirectUri } = useSearch({ from: '/login/$silo/local' })
  const router = useRouter()
  const page = useQuery(signInPageQuery(silo)).data
  const providers = page ? providersOf(page) : []
  const [forgotten, setForgotten] = useState(false)
  const close = () => setForgotten(false)
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
          <>
            <CredentialsForm silo={silo} passkeys={page?.passkeys} onSignedIn={enter} />
            {page?.forgottenPasswords && (
              <div className="mb-2 text-center">
                <Button variant="ghost" onClick={() => setForgotten(true)}>
                  Forgot your password?
                </Button>
              </div>
            )}
          </>
        )
      )}
      {page && <ProviderLinks silo={silo} providers={providers} redirectUri={redirectUri} />}
      <OtherSilo redirectUri={redirectUri} />
      <DialogPart onDismiss={close}>
        {forgotten && (
          <ForgottenPassword silo={silo} username={rememberedUsername()} onDismiss={close} />
        )}
      </DialogPart>
    </LoginFrame>
  )
}
