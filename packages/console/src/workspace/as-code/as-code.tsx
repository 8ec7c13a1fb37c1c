import type { Args, MethodName } from '@steading/api/client'
import { Suspense, type ReactNode } from 'react'
import { type MutationOptions, useApiMutation } from '../../data/api.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { call, type Step } from './steps.ts'

const CodePanel = lazyPart(() => import('./code-panel.tsx'))

/** An action as code. The printers are loaded on demand. */
export const asCode = (...steps: Step[]): ReactNode => (
  <Suspense fallback={<div className="h-40" />}>
    <CodePanel steps={steps} />
  </Suspense>
)

/**
 * Props of a form with one call, to be spread into it. The call and the shown code use the same
 * arguments.
 * @param then subsequent calls, included in the code
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

/** A call that needs a confirmation: `confirmAction({ title: …, ...start(args) })`. */
export function useApiAction<M extends MethodName>(operation: M, options?: MutationOptions<M>) {
  const { mutateAsync } = useApiMutation(operation, options)
  return (args: Args<M>) => ({
    action: () => mutateAsync(args),
    calls: operation as string,
    code: () => asCode(call(operation, args)),
  })
}
