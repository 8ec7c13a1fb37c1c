import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { onConnection } from '../data/connection.ts'
import { isNoAnswer } from '../data/errors.ts'

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
  return retry
}
