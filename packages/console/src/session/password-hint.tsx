import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useCapability } from '../data/capabilities.ts'
import { ownPasswordQuery } from '../data/own-password.ts'
import { currentUserQuery } from '../data/session.ts'
import { TextLink } from '../ui/link.tsx'
import { addToast } from '../ui/toasts.tsx'

/** The user who does not want to be told again. */
const DISMISSED = 'password-hint-dismissed'

/** Tells a user who still has the password that the control plane has made up. */
export function PasswordHint() {
  const able = useCapability('ownPassword')
  const user = useQuery({ ...currentUserQuery, enabled: false }).data
  const password = useQuery({ ...ownPasswordQuery, enabled: able && user !== undefined }).data
  const told = password?.generated ? user?.id : undefined
  useEffect(() => {
    if (!told || localStorage.getItem(DISMISSED) === told) return
    return addToast({
      variant: 'notice',
      title: 'Your password was generated',
      content: 'The server printed it, so others may have seen it.',
      link: (
        <TextLink to="/settings/profile" search={{ password: true }}>
          Change password
        </TextLink>
      ),
      timeout: null,
      onDismiss: () => localStorage.setItem(DISMISSED, told),
    })
  }, [told])
  return null
}
