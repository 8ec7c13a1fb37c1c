import { useParams, useRouter, useSearch } from '@tanstack/react-router'
import { queryClient } from '../data/api.ts'
import { CredentialsForm } from '../session/credentials-form.tsx'
import { Identicon } from '../ui/identicon.tsx'
import { addToast } from '../ui/toasts.tsx'
import { LoginFrame } from './login-frame.tsx'
import { redirectTarget } from './redirect-target.ts'

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
      <div className="mb-8 flex items-center gap-3">
        <Identicon name={silo} size={40} />
        <div className="min-w-0">
          <div className="text-xs text-tertiary">Silo</div>
          <h1 className="truncate text-xl font-semibold">{silo}</h1>
        </div>
      </div>
      <CredentialsForm silo={silo} onSignedIn={enter} />
    </LoginFrame>
  )
}
