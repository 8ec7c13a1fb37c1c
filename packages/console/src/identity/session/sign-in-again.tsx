import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryClient } from '../../data/api.ts'
import { client } from '../../data/client.ts'
import { currentUserQuery } from '../../data/session.ts'
import { signedOutBecause, signInPageQuery } from '../../data/sign-in-page.ts'
import { endSignIn, signedInAgain, type SignInStage } from '../../data/session-end.ts'
import { ExternalLink } from '../../ui/link.tsx'
import { Modal, ModalFooter } from '../../ui/modal.tsx'
import { CredentialsForm, rememberedUsername } from './credentials-form.tsx'
import { SIGNED_IN_PATH, onSignInElsewhere } from './other-tabs.ts'
import { ProviderLinks, providersOf } from './provider-links.tsx'

const knownUser = () =>
  queryClient.getQueryData<{ id: string; siloName: string; displayName: string }>(
    currentUserQuery.queryKey,
  )

/** Continues the page for the same user; reloads everything for another one. */
async function resume(): Promise<void> {
  const answer = await client.currentUserView({}).catch(() => undefined)
  if (answer?.type !== 'success') return
  if (answer.data.id === knownUser()?.id) signedInAgain()
  else location.reload()
}

/**
 * Dialog over a page whose session has ended: signing in again preserves the page and its
 * input.
 */
export default function SignInAgain({ stage }: { stage: NonNullable<SignInStage> }) {
  return stage === 'sign in' ? <SignIn /> : <OfferChange />
}

function SignIn() {
  useEffect(() => {
    // Another tab may have signed in again without a notification.
    const listener = () => void resume()
    const look = () => document.hidden || listener()
    const stopListening = onSignInElsewhere(listener)
    addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      stopListening()
      removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  const silo = knownUser()?.siloName ?? ''
  const signInPage = useQuery({ ...signInPageQuery(silo), enabled: silo !== '' })
  const known = signInPage.data
  const reason = known?.signedOutBecause
  // Wait until it is known that the user has a password.
  if (signInPage.isLoading) return null
  return (
    <Modal title="Sign in again" width="narrow" onDismiss={() => endSignIn(false)}>
      <p className="mb-4">
        {reason ? signedOutBecause[reason] : 'Your session has ended.'} This page stays as it is,
        with everything you have entered.
      </p>
      {(!known || known.local) && (
        <CredentialsForm
          silo={silo}
          passkeys={known?.passkeys}
          // Another tab may have signed in. Local users sign in with their display name.
          username={rememberedUsername() || knownUser()?.displayName}
          onSignedIn={() => void resume()}
        />
      )}
      {known && (
        <ProviderLinks
          silo={silo}
          providers={providersOf(known)}
          redirectUri={SIGNED_IN_PATH}
          inNewTab
        />
      )}
      <p className="mt-4 text-xs">
        Or sign in on the <ExternalLink href="/login">login page</ExternalLink> and come back here.
      </p>
    </Modal>
  )
}

const OfferChange = () => (
  <Modal
    title="You are signed in again"
    width="narrow"
    onDismiss={() => endSignIn(false)}
    footer={
      <ModalFooter
        onDismiss={() => endSignIn(false)}
        cancelText="Not now"
        actionText="Send again"
        sends
        onAction={() => endSignIn(true)}
      />
    }
  >
    Your last change was not made, because the session had already ended. Send it again?
  </Modal>
)
