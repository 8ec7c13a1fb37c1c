import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { ownPasswordQuery, useCurrentUser } from '../../data/session.ts'
import { NoticeBar } from '../../page/notice-bar.tsx'
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
    <NoticeBar icon={KeyRound} onDismiss={dismiss}>
      <TextLink to="/settings/profile" search={{ password: true }}>
        Change your password
      </TextLink>
      : {reasons[why]}
    </NoticeBar>
  )
}
