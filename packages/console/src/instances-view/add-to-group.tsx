import type { AntiAffinityGroup } from '@steading/api/client'
import { ChooseGroupModal } from '../affinity/choose-group.tsx'
import { useAddToGroup } from '../affinity/membership.tsx'
import type { InstanceParams } from '../instances/queries.ts'

type Props = { params: InstanceParams; groups: AntiAffinityGroup[]; onDismiss: () => void }

export default function AddToGroupModal({ params, groups, onDismiss }: Props) {
  const { instance } = params
  const add = useAddToGroup(
    params.project,
    ({ group }: { group: string }) => ({ instance, antiAffinityGroup: group }),
    onDismiss,
  )
  return <ChooseGroupModal groups={groups} {...add} onDismiss={onDismiss} />
}
