import { useNavigate } from '@tanstack/react-router'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { operationsOf, queryClient, seed, whenReread } from '../../data/api.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { doneToast } from '../../ui/toasts.tsx'
import { RestorableNote, withUndo } from '../../workspace/deleted-resources/restorable.tsx'
import { type Group, type GroupKind, groupPath } from './group-kinds.ts'
import { groupTitle, groupNoun } from './group-labels.ts'
import {
  forgetGroup,
  groupArgs,
  groupViews,
  markGroupDeleting,
  unmarkGroupDeleting,
} from './queries.ts'

export const groupUpdates = {
  anti_affinity_group: 'antiAffinityGroupUpdate',
  affinity_group: 'affinityGroupUpdate',
} as const
const groupDeletions = {
  anti_affinity_group: 'antiAffinityGroupDelete',
  affinity_group: 'affinityGroupDelete',
} as const

/** Whether an answer is a list of groups. */
const isOfGroups = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  operationsOf(queryKey).some((name) => /^(anti)?affinityGroupList$/i.test(name))

/** The actions of a group, in its row and on its page. */
export function useGroupActions(
  project: string,
  onDeleted?: () => Promise<unknown>,
): (kind: GroupKind, group: Group) => MenuAction[] {
  const navigate = useNavigate()
  const deletions = {
    anti_affinity_group: useApiAction(groupDeletions.anti_affinity_group),
    affinity_group: useApiAction(groupDeletions.affinity_group),
  }
  return (kind, group) => {
    const params = { kind, project, group: group.name }
    const args = groupArgs(params)
    const { action, code } = deletions[kind](args)
    return [
      {
        label: 'Edit',
        calls: groupUpdates[kind],
        onAction: () => {
          seed(groupViews[kind], args, group)
          void navigate({ to: `${groupPath(params)}/edit` as '/' })
        },
      },
      {
        label: 'Delete',
        calls: groupDeletions[kind],
        danger: true,
        onAction: () =>
          confirmDelete({
            kind: groupNoun(kind),
            name: group.name,
            extra: 'Its members are neither deleted nor moved.',
            below: <RestorableNote kind={kind} />,
            code,
            action: () =>
              withUndo({ kind, id: group.id, name: group.name }, async () => {
                markGroupDeleting(params)
                try {
                  await action()
                } catch (error) {
                  unmarkGroupDeleting(params)
                  throw error
                }
                doneToast(groupTitle(kind), group.name, 'deleted')
                // Leave the page first: the list shown next must not read the deleted row.
                await queryClient.refetchQueries({ predicate: isOfGroups })
                await onDeleted?.()
                await whenReread()
                void forgetGroup(params)
              }),
          }),
      },
    ]
  }
}
