import { useCurrentUser } from '../../data/session.ts'
import { addToast } from '../../ui/toasts.tsx'
import { LastAdmin, RoleLosses } from './losses.tsx'
import type { NamedIdentity } from './names.ts'
import {
  changeOf,
  type PolicyPlace,
  type Policy,
  policyUpdateOf,
  policyWith,
  replacementCode,
  type Role,
  usePolicyUpdate,
} from './policies.ts'
import { ConfirmedReason } from '../../workspace/setting-versions/use-versions.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import { Strong } from '../../ui/text.tsx'

/** Removes all roles of a user or group, after a confirmation. */
export function useRemoval(place: PolicyPlace) {
  const { id: userId } = useCurrentUser()
  const { mutateAsync } = usePolicyUpdate(place)
  return (policy: Policy, who: NamedIdentity, role: Role) => {
    const to = policyWith(policy, { identityId: who.id, identityType: who.type })
    const change = { from: policy, to }
    confirmAction({
      title: 'Delete role assignment',
      body: (
        <>
          <p>
            Are you sure you want to delete the {role} role for <Strong>{who.name}</Strong>?
            {who.id === userId && ` This will remove your own ${place.level} access.`}
          </p>
          <div className="mt-2">
            <RoleLosses
              change={changeOf(place, to)}
              otherwise={<LastAdmin place={place} change={change} />}
            />
          </div>
        </>
      ),
      below: <ConfirmedReason operation={policyUpdateOf(place)} />,
      errorTitle: 'Could not delete role assignment',
      danger: true,
      calls: policyUpdateOf(place),
      code: () => replacementCode(place, to),
      action: async () => {
        await mutateAsync(change)
        addToast('Access removed')
      },
    })
  }
}
