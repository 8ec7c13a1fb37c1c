import { invalidate, useApiMutation } from '../data/api.ts'
import { addToast, errorToast } from '../ui/toasts.tsx'
import { membershipReads } from './queries.ts'

/** Adds instances of a project to its groups. */
export function useAddToGroup(project: string, onAdded: () => void) {
  const add = useApiMutation('antiAffinityGroupMemberInstanceAdd', {
    onSuccess: (_, { path }) => {
      void invalidate(...membershipReads)
      addToast({
        content: (
          <>
            Instance <b>{path.instance}</b> added to anti-affinity group{' '}
            <b>{path.antiAffinityGroup}</b>
          </>
        ),
      })
      onAdded()
    },
    onError: ({ message }) => errorToast('Failed to add instance to group', message),
  })
  return {
    add: (instance: string, antiAffinityGroup: string) =>
      add.mutate({ path: { antiAffinityGroup, instance }, query: { project } }),
    pending: add.isPending,
  }
}

type Who = { instance: string; antiAffinityGroup: string }

/** Takes instances of a project out of its groups. */
export function useRemoveFromGroup(project: string) {
  const { mutateAsync: remove } = useApiMutation('antiAffinityGroupMemberInstanceDelete', {
    onSuccess: () => invalidate(...membershipReads),
  })
  return (path: Who) => remove({ path, query: { project } })
}
