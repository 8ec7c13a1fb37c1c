import { useApiAction, useApiForm } from '../../workspace/as-code/as-code.tsx'
import { whenReread } from '../../data/api.ts'
import { addToast, errorToast } from '../../ui/toasts.tsx'
import { groupArgument, type GroupKind } from './group-kinds.ts'
import { groupNoun } from './group-labels.ts'

type Who = { instance: string; group: string }

export const memberAdditions = {
  anti_affinity_group: 'antiAffinityGroupMemberInstanceAdd',
  affinity_group: 'affinityGroupMemberInstanceAdd',
} as const
export const memberRemovals = {
  anti_affinity_group: 'antiAffinityGroupMemberInstanceDelete',
  affinity_group: 'affinityGroupMemberInstanceDelete',
} as const

/**
 * Adds an instance of a project to one of its groups. @param whoOf returns the instance and group
 * of the form
 */
export function useAddToGroup<V>(
  kind: GroupKind,
  project: string,
  whoOf: (values: V) => Who,
  onAdded: () => void,
) {
  const argsOf = (values: V) => {
    const { instance, group } = whoOf(values)
    return { path: { ...groupArgument({ kind, group }), instance }, query: { project } }
  }
  const add = useApiForm(memberAdditions[kind], argsOf, {
    onSuccess: (_, { path: { instance, ...group } }) => {
      addToast({
        content: (
          <>
            Instance <b>{instance}</b> added to {groupNoun(kind)} <b>{Object.values(group)[0]}</b>
          </>
        ),
      })
      onAdded()
    },
    onError: ({ message }) => errorToast('Failed to add instance to group', message),
  })
  // A toast shows the error.
  return { ...add, submitError: null }
}

/** Removes instances of a project from its groups. */
export function useRemoveFromGroup(kind: GroupKind, project: string) {
  const removal = useApiAction(memberRemovals[kind], {
    onSuccess: whenReread,
  })
  return ({ instance, group }: Who) =>
    removal({ path: { ...groupArgument({ kind, group }), instance }, query: { project } })
}
