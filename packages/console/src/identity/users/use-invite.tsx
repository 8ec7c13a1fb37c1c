import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useCapability } from '../../data/capabilities.ts'
import { useCurrentUser } from '../../data/session.ts'
import { siloQuery } from '../../tenancy/silos/queries.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { openDialog } from '../../ui/opened-dialog.tsx'
import type { InvitePlace } from './invite.tsx'
import { ownSiloQuery } from './queries.ts'

const Invite = lazyPart(() => import('./invite.tsx'))

/** @param name what was typed as the name of the person */
export const openInvite = (place: InvitePlace, name?: string): void =>
  openDialog((onDismiss) => <Invite {...place} typed={name} onDismiss={onDismiss} />)

/**
 * Whether people can be invited to a silo. Users of a silo with identity providers come from there.
 * @param silo another silo than the user's own
 */
export function useCanInvite(silo?: string): boolean {
  const supported = useCapability('userLinks')
  const me = useCurrentUser()
  const own = useQuery({
    throwOnError: false,
    ...ownSiloQuery(me),
    enabled: supported && silo === undefined && me.siloAdmin,
  })
  const other = useQuery({
    throwOnError: false,
    ...siloQuery(silo ?? ''),
    enabled: supported && silo !== undefined,
  })
  return supported && (silo === undefined ? own : other).data?.identityMode === 'local_only'
}

/** The button that invites a person; none where people cannot be invited. */
export function useInvite(place: InvitePlace): MenuAction[] {
  if (!useCanInvite(place.silo)) return []
  return [
    {
      label: 'Invite',
      icon: <UserPlus size={16} strokeWidth={1.5} aria-hidden />,
      local: true,
      calls: 'localIdpUserCreate',
      onAction: () => openInvite(place),
    },
  ]
}
