import type { UserDetails } from '@steading/api/client'
import { useState } from 'react'
import { useApiAction } from '../as-code/as-code.tsx'
import { invalidate } from '../data/api.ts'
import { useCurrentUser } from '../data/session.ts'
import { confirmAction, confirmDelete } from '../ui/confirm.tsx'
import type { MenuAction } from '../ui/menu-action.ts'
import { Strong } from '../ui/text.tsx'
import { addToast } from '../ui/toasts.tsx'
import { SetPasswordModal } from './set-password.tsx'

const FROM_PROVIDER = 'The users of this silo come from its identity provider'

type Options = {
  /** Name of the silo. */
  silo: string
  /** Whether its users sign in with passwords. */
  local: boolean
  /** For the page of the user, who then does not exist any more. */
  onDeleted?: () => void
}

/** What can be done with a user, and the dialog that one of it opens. */
export function useUserActions({ silo, local, onDeleted }: Options) {
  const me = useCurrentUser()
  const [changing, setChanging] = useState<UserDetails>()
  const isOwn = silo === me.siloName
  const remove = useApiAction('localIdpUserDelete', {
    onSuccess: () => {
      onDeleted?.()
      void invalidate('userDetailsList', 'userList')
      addToast('User deleted')
    },
  })
  const signOut = useApiAction('userLogout', {
    onSuccess: () => {
      void invalidate('userSessionList', 'userTokenList')
      addToast('All sessions and access tokens ended')
    },
  })
  const actions = (user: UserDetails): MenuAction[] => {
    const path = { userId: user.id }
    const self = user.id === me.id
    const endAll: MenuAction = {
      label: 'End all sessions',
      onAction: () =>
        confirmAction({
          title: 'End all sessions',
          body: (
            <>
              <Strong>{user.displayName}</Strong> will be signed out everywhere at once, and all
              access tokens of the user stop working.
              {self && ' That includes this session: you will have to sign in again.'}
            </>
          ),
          errorTitle: 'Could not end the sessions',
          danger: true,
          ...signOut({ path }),
        }),
    }
    return [
      {
        label: 'Set password',
        disabledReason: !local && FROM_PROVIDER,
        onAction: () => setChanging(user),
      },
      ...(isOwn ? [endAll] : []),
      {
        label: 'Delete',
        danger: true,
        disabledReason: (!local && FROM_PROVIDER) || (self && 'You are signed in as this user'),
        onAction: () =>
          confirmDelete({
            kind: 'user',
            name: user.displayName,
            extra:
              'The user is signed out at once. Sessions, access tokens, SSH keys and memberships of groups are deleted, open consoles close, and jobs that the user has started stop. Projects and what is in them stay.',
            ...remove({ path, query: { silo } }),
          }),
      },
    ]
  }
  const dialog = changing && (
    <SetPasswordModal silo={silo} user={changing} onDismiss={() => setChanging(undefined)} />
  )
  return { actions, dialog }
}
