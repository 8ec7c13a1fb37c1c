import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { queryClient } from '../data/api.ts'
import { onConnection } from '../data/connection.ts'
import { ApiError, isForbidden, isNoAnswer } from '../data/errors.ts'

/**
 * Reloads a failed page: on "Try again", and automatically after an outage that caused the
 * failure.
 */
export function useRetry(error: unknown): () => Promise<void> {
  const router = useRouter()
  const retry = async () => {
    // The page failed on data it has read; without fresh data it would fail again.
    if (!(error instanceof ApiError)) await queryClient.refetchQueries({ type: 'inactive' })
    await router.invalidate()
  }
  const onChange = useEffectEvent((isLost: boolean) => {
    if (!isLost && isNoAnswer(error)) void retry()
  })
  useEffect(() => onConnection((isLost) => onChange(isLost)), [])
  // Reloads a refused page and its data when the user's roles change.
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
