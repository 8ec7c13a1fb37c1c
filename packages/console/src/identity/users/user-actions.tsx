import type { UserDetails } from '@steading/api/client'
import { keptElsewhere, type LinkDelivery } from '@steading/api/rules'
import { useState } from 'react'
import { RoleLosses } from '../access/losses.tsx'
import { askAccess } from '../../workspace/who-can/ask-access.ts'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { useApiMutation } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { useCurrentUser } from '../../data/session.ts'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { confirmAction, confirmDelete } from '../../ui/confirm.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { openDialog } from '../../ui/opened-dialog.tsx'
import { Strong } from '../../ui/text.tsx'
import { addToast, errorToast } from '../../ui/toasts.tsx'
import { SetPasswordModal } from './set-password.tsx'

const UserIdentities = lazyPart(() => import('./user-identities.tsx'))
const MailAddress = lazyPart(() => import('./mail-address.tsx'))
const LinkMade = lazyPart(() =>
  import('./link-made.tsx').then((part) => ({ default: part.LinkMade })),
)

type Options = {
  /** Name of the silo. */
  silo: string
  /** Leaves the user's page. */
  onDeleted?: () => void
}

/** Actions on a user, and the dialog that one of them opens. */
export function useUserActions({ silo, onDeleted }: Options) {
  const me = useCurrentUser()
  const [changing, setChanging] = useState<UserDetails>()
  const [linking, setLinking] = useState<UserDetails>()
  const supported = useCapability('access')
  const history = useHistoryAction('silo_user')
  const isOwn = silo === me.siloName
  const remove = useApiAction('localIdpUserDelete', {
    onSuccess: () => {
      onDeleted?.()
      addToast('User deleted')
    },
  })
  const signOut = useApiAction('userLogout', {
    onSuccess: () => {
      addToast('All sessions and access tokens ended')
    },
  })
  const hasFactors = useCapability('secondFactors')
  const hasIdentities = useCapability('userIdentities')
  const hasLinks = useCapability('userLinks')
  const sendsMail = useCapability('userMail')
  const link = useApiMutation('userLinkCreate', {
    onError: ({ message }) => errorToast('Could not make a link', message),
  })
  const reset = useApiAction('userFactorsDelete', {
    onSuccess: () => {
      addToast('Second factors removed')
    },
  })
  const actions = (user: UserDetails): MenuAction[] => {
    const path = { userId: user.id }
    const self = user.id === me.id
    const elsewhere = keptElsewhere('user', user.source)
    const access: MenuAction = {
      label: 'View access',
      local: true,
      onAction: () => askAccess({ of: 'user', id: user.id, name: user.displayName }),
    }
    const endAll: MenuAction = {
      label: 'End all sessions',
      calls: { operation: 'userLogout', about: ['access_token'] },
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
    const resetFactors: MenuAction = {
      label: 'Reset second factors',
      danger: true,
      calls: 'userFactorsDelete',
      onAction: () =>
        confirmAction({
          title: 'Reset second factors',
          body: (
            <>
              Passkeys, the authenticator app and recovery codes of{' '}
              <Strong>{user.displayName}</Strong> are removed, and the user is signed out. The
              password alone then leads to the sign-in policy of the silo.
            </>
          ),
          errorTitle: 'Could not reset the second factors',
          danger: true,
          ...reset({ path }),
        }),
    }
    const makeLink = (delivery: LinkDelivery) => {
      const args = { path, query: { silo }, body: { delivery } }
      link.mutate(args, {
        onSuccess(made) {
          if (made.mailAddress) return addToast(`The link to ${made.mailAddress} is on its way`)
          openDialog((onDismiss) => (
            <LinkMade link={made} user={user.displayName} onDismiss={onDismiss} />
          ))
        },
      })
    }
    const links: MenuAction[] = [
      ...(sendsMail
        ? [
            {
              label: 'Send a new link',
              calls: 'userLinkCreate',
              disabledReason: user.mailAddress === null && 'The user has no mail address',
              onAction: () => makeLink('mail'),
            },
          ]
        : []),
      { label: 'Copy a new link', calls: 'userLinkCreate', onAction: () => makeLink('copy') },
      {
        label: 'Mail address',
        calls: 'userMailAddressUpdate',
        local: true,
        onAction: () =>
          openDialog((onDismiss) => <MailAddress silo={silo} user={user} onDismiss={onDismiss} />),
      },
    ]
    return [
      ...history({ id: user.id, name: user.displayName }),
      ...(isOwn && supported ? [access] : []),
      ...(hasIdentities && user.source !== 'local'
        ? [
            {
              label: 'Identity providers…',
              calls: 'userIdentityLink',
              local: true,
              onAction: () => setLinking(user),
            },
          ]
        : []),
      {
        label: 'Set password',
        calls: 'localIdpUserSetPassword',
        disabledReason: elsewhere,
        onAction: () => setChanging(user),
      },
      ...(hasLinks && user.source === 'local' ? links : []),
      ...(isOwn ? [endAll] : []),
      ...(isOwn && hasFactors && user.source === 'local' ? [resetFactors] : []),
      {
        label: 'Delete',
        danger: true,
        calls: 'localIdpUserDelete',
        disabledReason: elsewhere ?? (self && 'You are signed in as this user'),
        onAction: () =>
          confirmDelete({
            kind: 'user',
            name: user.displayName,
            extra: (
              <>
                The user is signed out at once. Sessions, access tokens, SSH keys and memberships of
                groups are deleted, open consoles close, and jobs that the user has started stop.
                Projects and their contents stay.
                <div className="mt-2">
                  <RoleLosses change={{ type: 'user', userId: user.id, silo }} />
                </div>
              </>
            ),
            ...remove({ path, query: { silo } }),
          }),
      },
    ]
  }
  const dialog = (
    <>
      {changing && (
        <SetPasswordModal silo={silo} user={changing} onDismiss={() => setChanging(undefined)} />
      )}
      <DialogPart onDismiss={() => setLinking(undefined)}>
        {linking && (
          <UserIdentities silo={silo} user={linking} onDismiss={() => setLinking(undefined)} />
        )}
      </DialogPart>
    </>
  )
  return { actions, dialog }
}
