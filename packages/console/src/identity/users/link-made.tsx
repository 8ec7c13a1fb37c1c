import type { UserLink } from '@steading/api/client'
import { userLinkPath } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { demoPassword } from '../session/demo.ts'
import { Button } from '../../ui/button.tsx'
import { SecretModal } from '../../ui/secret-modal.tsx'
import { Strong } from '../../ui/text.tsx'
import { formatMoment } from '../../ui/time.tsx'

type Props = {
  link: UserLink
  /** The user name. */
  user: string
  onDismiss: () => void
}

/** Each silo has its own host name here. */
const isOwnHost = /^[a-z0-9-]+\.sys\./.test(window.location.hostname)

/** Shows a new link once, to be handed over. */
export function LinkMade({ link, user, onDismiss }: Props) {
  const navigate = useNavigate()
  const { token, url, timeExpires } = link
  // The address that the administrator uses is known to work, unless the silo has its own.
  const text = url && isOwnHost ? url : window.location.origin + userLinkPath(token!)
  return (
    <SecretModal
      title="Link created"
      notice={
        <>
          Send this link to <Strong>{user}</Strong>. It sets a password once, until{' '}
          {formatMoment(timeExpires)}. It is not shown again. Anybody who has it can sign in as this
          user.
        </>
      }
      secrets={[{ label: 'Link', text }]}
      onDismiss={onDismiss}
    >
      {/* A new page of the demo begins with another control plane. */}
      {demoPassword && (
        <Button
          onClick={() => {
            onDismiss()
            void navigate({ to: '/login/link', hash: token! })
          }}
        >
          Follow the link
        </Button>
      )}
    </SecretModal>
  )
}
