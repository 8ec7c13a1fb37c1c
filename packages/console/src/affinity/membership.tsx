import { useApiAction, useApiForm } from '../as-code/as-code.tsx'
import { invalidate } from '../data/api.ts'
import { addToast, errorToast } from '../ui/toasts.tsx'
import { membershipReads } from './queries.ts'

type Who = { instance: string; antiAffinityGroup: string }

/** Adds an instance of a project to one of its groups. @param whoOf the instance and group of the form */
export function useAddToGroup<V>(project: string, whoOf: (values: V) => Who, onAdded: () => void) {
  const argsOf = (values: V) => ({ path: whoOf(values), query: { project } })
  const add = useApiForm('antiAffinityGroupMemberInstanceAdd', argsOf, {
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
  // A toast says it.
  return { ...add, submitError: null }
}

/** Takes instances of a project out of its groups. */
export function useRemoveFromGroup(project: string) {
  const removal = useApiAction('antiAffinityGroupMemberInstanceDelete', {
    onSuccess: () => invalidate(...membershipReads),
  })
  return (path: Who) => removal({ path, query: { project } })
}
