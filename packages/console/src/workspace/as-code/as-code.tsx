import type { Args, MethodName } from '@steading/api/client'
import { Suspense, type ReactNode } from 'react'
import { useApiMutation, type MutationOptions } from '../../data/api.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { call, type Step } from './steps.ts'

const CodePanel = lazyPart(() => import('./code-panel.tsx'))

/** What an action will do, as code. The printers are loaded when the user opens it. */
export const asCode = (...steps: Step[]): ReactNode => (
  <Suspense fallback={<div className="h-40" />}>
    <CodePanel steps={steps} />
  </Suspense>
)

/**
 * The props of a form that makes one call; to be spread into it. The arguments that are sent are
 * those that are shown as code.
 * @param then the calls that follow, which are shown as well
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
    calls: operation as string,
    code: (values: V) => asCode(call(operation, argsOf(values)), ...(then ? [then(values)] : [])),
  }
}

/** A call that the user confirms first: `confirmAction({ title: …, ...start(args) })`. */
export function useApiAction<M extends MethodName>(operation: M, options?: MutationOptions<M>) {
  const { mutateAsync } = useApiMutation(operation, options)
  return (args: Args<M>) => ({
    action: () => mutateAsync(args),
    calls: operation as string,
    code: () => asCode(call(operation, args)),
  })
}
