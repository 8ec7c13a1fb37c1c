import { useEffect, useState } from 'react'
import { newestAnswers } from '../data/answers.ts'
import { ApiError, GoneError, logApiError } from '../data/errors.ts'

/**
 * The reason for which something cannot be shown: the error, or the answer of the control plane that
 * it comes from, once that is found out.
 */
export function useExplained(error: unknown): unknown {
  const [found, setFound] = useState<ApiError>()
  useEffect(() => {
    if (error instanceof ApiError || error instanceof GoneError) return
    // Faults of the program are for the browser's console.
    console.error(error)
    import('../data/misfit.ts')
      .then(({ misfitAmong }) => {
        const misfit = misfitAmong(newestAnswers())
        if (misfit) logApiError(misfit, false)
        setFound(misfit)
      })
      // The code cannot be loaded either.
      .catch(() => {})
  }, [error])
  return found ?? error
}
