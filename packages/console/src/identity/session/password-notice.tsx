import { useQuery } from '@tanstack/react-query'
import { KeyRound, X } from 'lucide-react'
import { useState } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { ownPasswordQuery, useCurrentUser } from '../../data/session.ts'
import { IconButton } from '../../ui/button.tsx'
import { TextLink } from '../../ui/link.tsx'

/** Key of the user who dismissed the notice about a generated password. */
const DISMISSED = 'password-hint-dismissed'

/** Reasons for changing the password, most important first. */
const reasons = {
  generated: 'the generated one is in the server’s log.',
  weak: 'it is easily guessed, being short, your own name, or one that others often use.',
} as const

/** Asks a user with an unsafe password to change it, in a bar above the page. */
export function PasswordNotice() {
  const supported = useCapability('ownPassword')
  const { id: userId } = useCurrentUser()
  const { data: password } = useQuery({ ...ownPasswordQuery, enabled: supported })
  const why = password?.generated ? 'generated' : password?.weak ? 'weak' : undefined
  // A weak password is reported at each sign-in.
  const [isClosed, setClosed] = useState(false)
  if (!why || isClosed) return null
  if (why === 'generated' && localStorage.getItem(DISMISSED) === userId) return null
  const dismiss = () => {
    setClosed(true)
    if (why === 'generated') localStorage.setItem(DISMISSED, userId)
  }
  return (
    <div
      role="status"
      className="flex items-center gap-3 border-b border-amber-border bg-amber-surface px-(--gutter) py-1.5 text-amber-text"
    >
      <KeyRound size={16} strokeWidth={1.5} aria-hidden className="shrink-0" />
      <span className="min-w-0 flex-1">
        <TextLink to="/settings/profile" search={{ password: true }}>
          Change your password
        </TextLink>
        : {reasons[why]}
      </span>
      <IconButton
        label="Dismiss"
        size="sm"
        icon={<X size={14} strokeWidth={1.5} aria-hidden />}
        onClick={dismiss}
      />
    </div>
  )
}
