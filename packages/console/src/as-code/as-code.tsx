import type { Args, MethodName } from '@steading/api/client'
import { lazy, Suspense, type ReactNode } from 'react'
import { useApiMutation, type MutationOptions } from '../data/api.ts'
import { call, type Step } from './steps.ts'

const CodePanel = lazy(() => import('./code-panel.tsx'))

/** What is about to be done, as code. Nothing of it is loaded before it is asked for. */
export const asCode = (...steps: Step[]): ReactNode => (
  <Suspense fallback={<div className="h-40" />}>
    <CodePanel steps={steps} />
  </Suspense>
)

/**
 * What a form needs that makes one call; to be spread into it. What is sent and what is shown as
 * code are the same arguments.
 * @param then what follows once it is done, to be shown as well
 */
export function useApiForm<M extends MethodName, V>(
  operation: M,
  argsOf: (values: V) => Args<M>,
  options?: MutationOptions<M>,
  then?: (values: V) => Step,
) {
  const { mutate, isPending, error } = useApiMutation(operation, options)
  return {
    onSubmit: (values: V) => mutate(argsOf(values)),
    loading: isPending,
    submitError: error,
    code: (values: V) => asCode(call(operation, argsOf(values)), ...(then ? [then(values)] : [])),
  }
}

/** A call that is asked about before: `confirmAction({ title: …, ...start(args) })`. */
export function useApiAction<M extends MethodName>(operation: M, options?: MutationOptions<M>) {
  const { mutateAsync } = useApiMutation(operation, options)
  return (args: Args<M>) => ({
    action: () => mutateAsync(args),
    code: () => asCode(call(operation, args)),
  })
}
