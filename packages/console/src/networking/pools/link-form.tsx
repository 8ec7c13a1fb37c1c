import type { ReactNode } from 'react'
import { asCode } from '../../workspace/as-code/as-code.tsx'
import { call } from '../../workspace/as-code/steps.ts'
import { useApiMutation, whenReread } from '../../data/api.ts'
import { addToast, errorToast } from '../../ui/toasts.tsx'
import type { PoolKind } from './pool-kind.ts'

type Wanted = { pool: string; silo: string; isDefault: boolean }

type Texts = {
  /** Title of the toast if linking failed. */
  failed: string
  /** Title of the toast if the pool was linked but not made the default. */
  halfDone: string
}

/**
 * The props of a form that links a pool to a silo. It is first linked and then made the default,
 * because linking a second default is refused, while an update replaces the previous default.
 */
export function useLinkForm<V>(
  kind: PoolKind,
  wantedOf: (values: V) => Wanted,
  { failed, halfDone }: Texts,
  onDone: () => void,
) {
  const link = useApiMutation(kind.link)
  const promote = useApiMutation(kind.updateLink)
  const stepsOf = ({ pool, silo, isDefault }: Wanted) => ({
    link: { path: { pool }, body: { silo, isDefault: false } },
    promote: isDefault ? { path: { pool, silo }, body: { isDefault } } : undefined,
  })
  async function submit(values: V) {
    const steps = stepsOf(wantedOf(values))
    try {
      await link.mutateAsync(steps.link)
    } catch (error) {
      errorToast(failed, error instanceof Error ? error.message : String(error))
      return
    }
    if (steps.promote) {
      try {
        await promote.mutateAsync(steps.promote)
      } catch {
        addToast({
          title: halfDone,
          content: 'Use the row menu to make it the default.',
          variant: 'error',
        })
      }
    }
    await whenReread()
    onDone()
  }
  return {
    onSubmit: (values: V) => void submit(values),
    loading: link.isPending || promote.isPending,
    submitError: null,
    calls: kind.link as string,
    code: (values: V): ReactNode => {
      const steps = stepsOf(wantedOf(values))
      return asCode(
        call(kind.link, steps.link),
        ...(steps.promote ? [call(kind.updateLink, steps.promote)] : []),
      )
    },
  }
}
