import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { queryClient } from '../data/api.ts'
import { onConnection } from '../data/connection.ts'
import { ApiError, isForbidden, isNoAnswer } from '../data/errors.ts'

/**
 * What loads a failed page again: "Try again", and by itself the end of an outage, if the page failed
 * because of it.
 */
export function useRetry(error: unknown): () => Promise<void> {
  const router = useRouter()
  const retry = async () => {
    // The page could not be made of what it has read; until that is read anew, it would fail again.
    if (!(error instanceof ApiError)) await queryClient.refetchQueries({ type: 'inactive' })
    await router.invalidate()
  }
  const onChange = useEffectEvent((isLost: boolean) => {
    if (!isLost && isNoAnswer(error)) void retry()
  })
  useEffect(() => onConnection((isLost) => onChange(isLost)), [])
  // A page that was refused is loaded again with all that is read when the user's roles change.
  useQuery({
    queryKey: ['refused page'],
    queryFn: async () => {
      await retry()
      return null
    },
    enabled: isForbidden(error),
    initialData: null,
    staleTime: Infinity,
  })
  return retry
}
