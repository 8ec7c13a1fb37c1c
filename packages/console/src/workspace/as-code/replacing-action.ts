/** Actions without a form that replace data which others may change at the same time. */
import { type Args, entityTagOf, type MethodName, type Result } from '@steading/api/client'
import { hashKey, useMutation } from '@tanstack/react-query'
import { call, queryClient, readFresh } from '../../data/api.ts'
import { ApiError } from '../../data/errors.ts'
import { asCode } from './as-code.tsx'
import { call as step } from './steps.ts'

const CHANGED =
  'It was changed meanwhile, and the page now shows the current state. Review it before you decide.'
const PRECONDITION_FAILED = 412

/** The resource that a call replaces. */
export type Replaced<T extends object> = {
  /** The version that the user saw. */
  shown: T
  read: { queryKey: readonly unknown[]; queryFn: () => Promise<T> }
  /**
   * The part that must be unchanged if the resource has no entity tag, as in a list's row; by
   * default all of it.
   */
  by?: (thing: T) => unknown
}

const conflict = (operation: MethodName, requestId?: string) =>
  new ApiError(operation, CHANGED, PRECONDITION_FAILED, undefined, requestId)

const isConflict = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.statusCode === PRECONDITION_FAILED

/**
 * Entity tag of the shown version. Without one, the resource is read and compared with the
 * shown version.
 */
async function tagOf<T extends object>(
  operation: MethodName,
  { shown, read, by = (thing) => thing }: Replaced<T>,
): Promise<string | undefined> {
  const tag = entityTagOf(shown)
  if (tag) return tag
  const newest = await readFresh(read)
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
 * A call that is refused if others have changed the resource it replaces. The page is then
 * refetched, and the error says so: `confirmAction({ title: …, ...update(args, { shown:
 * instance, read }) })`.
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
  /** @param replaced undefined if nothing exists yet */
  return <T extends object>(args: Args<M>, replaced: Replaced<T> | undefined) => ({
    action: () => mutateAsync(() => replace(operation, args, replaced)),
    calls: operation as string,
    code: () => asCode(step(operation, args)),
  })
}
