import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { ownPasswordQuery, currentUserQuery } from '../../data/session.ts'
import { TextLink } from '../../ui/link.tsx'
import { addToast } from '../../ui/toasts.tsx'

/** Key of the user who dismissed the hint about a generated password. */
const DISMISSED = 'password-hint-dismissed'

/** Reasons for changing the password, most important first. */
const hints = {
  generated: {
    title: 'Your password was generated',
    content: 'The server printed it, so others may have seen it.',
  },
  weak: {
    title: 'Your password is easily guessed',
    content:
      'It is short, your own name, or one that others often use. It works until you change it.',
  },
} as const

/** Asks a user with an unsafe password to change it. */
export function PasswordHint() {
  const supported = useCapability('ownPassword')
  const user = useQuery({ ...currentUserQuery, enabled: false }).data
  const password = useQuery({ ...ownPasswordQuery, enabled: supported && user !== undefined }).data
  const why = password?.generated ? 'generated' : password?.weak ? 'weak' : undefined
  const userId = why && user?.id
  useEffect(() => {
    // A weak password is reported at each sign-in.
    if (!userId || (why === 'generated' && localStorage.getItem(DISMISSED) === userId)) return
    return addToast({
      variant: 'notice',
      ...hints[why],
      link: (
        <TextLink to="/settings/profile" search={{ password: true }}>
          Change password
        </TextLink>
      ),
      timeout: null,
      onDismiss: () => {
        if (why === 'generated') localStorage.setItem(DISMISSED, userId)
      },
    })
  }, [why, userId])
  return null
}
