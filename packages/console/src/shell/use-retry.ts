import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { onConnection } from '../data/connection.ts'
import { isForbidden, isNoAnswer } from '../data/errors.ts'

/**
 * What loads a failed page again: "Try again", and by itself the end of an outage, if the page failed
 * because of it.
 */
export function useRetry(error: unknown): () => Promise<void> {
  const router = useRouter()
  const retry = () => router.invalidate()
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
