import type { Args, MethodName, Result } from '@steading/api/client'
import { queryClient, seed } from './api.ts'

/**
 * Caches the answer to a change for the page that shows it next. An event may have arrived before the
 * answer, so that page reads it again at once.
 */
export function seedAnswer<M extends MethodName>(
  operation: M,
  args: Args<M>,
  answer: Result<M>,
): void {
  seed(operation, args, answer)
  const queryKey = [operation, args]
  void queryClient.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })
}
