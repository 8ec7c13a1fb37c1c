import { ChooseGroupModal } from '../../affinity/choose-group.tsx'
import type { Group, GroupKind } from '../../affinity/group-kinds.ts'
import { useAddToGroup } from '../../affinity/membership.tsx'
import type { InstanceParams } from '../queries.ts'

type Props = {
  kind: GroupKind
  params: InstanceParams
  groups: Group[]
  onDismiss: () => void
}

export default function AddToGroupModal({ kind, params, groups, onDismiss }: Props) {
  const { instance } = params
  const add = useAddToGroup(
    kind,
    params.project,
    ({ group }: { group: string }) => ({ instance, group }),
    onDismiss,
  )
  return <ChooseGroupModal kind={kind} groups={groups} {...add} onDismiss={onDismiss} />
}
