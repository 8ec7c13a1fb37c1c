import { useEffect, useState } from 'react'
import { ApiError, GoneError } from '../data/errors.ts'

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
    import('./misfit-notice.tsx')
      .then(({ explanation }) => explanation())
      // The code cannot be loaded either.
      .then(setFound, () => {})
  }, [error])
  return found ?? error
}
