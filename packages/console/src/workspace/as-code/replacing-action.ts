/** Actions without a form that replace something which others may change at the same time. */
import { type Args, entityTagOf, type MethodName, type Result } from '@steading/api/client'
import { hashKey, useMutation } from '@tanstack/react-query'
import { call, queryClient } from '../../data/api.ts'
import { ApiError } from '../../data/errors.ts'
import { asCode } from './as-code.tsx'
import { call as step } from './steps.ts'

const CHANGED = 'It was changed meanwhile, and is shown as it is now. Look again before you decide.'
const PRECONDITION_FAILED = 412

/** The thing that a call replaces. */
export type Replaced<T extends object> = {
  /** As the user saw it when they decided. */
  shown: T
  read: { queryKey: readonly unknown[]; queryFn: () => Promise<T> }
  /** The part that must be unchanged if the thing has no tag, as a row of a list; by default all. */
  by?: (thing: T) => unknown
}

const conflict = (operation: MethodName, requestId?: string) =>
  new ApiError(operation, CHANGED, PRECONDITION_FAILED, undefined, requestId)

const isConflict = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.statusCode === PRECONDITION_FAILED

/** The entity tag of what is shown. A thing without one is read, and must be what is shown. */
async function tagOf<T extends object>(
  operation: MethodName,
  { shown, read, by = (thing) => thing }: Replaced<T>,
): Promise<string | undefined> {
  const tag = entityTagOf(shown)
  if (tag) return tag
  const newest = await queryClient.fetchQuery({ ...read, staleTime: 0 })
  if (hashKey([by(newest)]) !== hashKey([by(shown)])) throw conflict(operation)
  return entityTagOf(newest)
}

async function replace<M extends MethodName, T extends object>(
  operation: M,
  args: Args<M>,
  replaced: Replaced<T> | undefined,
): Promise<Result<M>> {
  try {
    const ifMatch = replaced && (await tagOf(operation, replaced))
    return await call(operation, args, { ifMatch, expected: [PRECONDITION_FAILED] })
  } catch (error) {
    if (!isConflict(error)) throw error
    void queryClient.invalidateQueries()
    throw conflict(operation, error.requestId)
  }
}

/**
 * A call that is refused if others have changed what it replaces. The page is then read again, and
 * the error says so: `confirmAction({ title: …, ...update(args, { shown: instance, read }) })`.
 */
export function useReplacingAction<M extends MethodName>(
  operation: M,
  onSuccess: (result: Result<M>) => unknown,
) {
  const { mutateAsync } = useMutation<Result<M>, ApiError, () => Promise<Result<M>>>({
    mutationKey: [operation],
    mutationFn: (send) => send(),
    onSuccess,
  })
  /** @param replaced undefined if there is nothing yet */
  return <T extends object>(args: Args<M>, replaced: Replaced<T> | undefined) => ({
    action: () => mutateAsync(() => replace(operation, args, replaced)),
    calls: operation as string,
    code: () => asCode(step(operation, args)),
  })
}
