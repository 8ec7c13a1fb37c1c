import type { AntiAffinityGroup } from '@steading/api/client'
import { ChooseGroupModal } from '../affinity/choose-group.tsx'
import { useAddToGroup } from '../affinity/membership.tsx'
import type { InstanceParams } from './queries.ts'

type Props = { params: InstanceParams; groups: AntiAffinityGroup[]; onDismiss: () => void }

export default function AddToGroupModal({ params, groups, onDismiss }: Props) {
  const { add, pending } = useAddToGroup(params.project, onDismiss)
  return (
    <ChooseGroupModal
      groups={groups}
      onChoose={(group) => add(params.instance, group)}
      onDismiss={onDismiss}
      loading={pending}
    />
  )
}
