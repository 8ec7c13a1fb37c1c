import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** A line at the very top while a page loads; it appears after a short delay. */
export function LoadingBar() {
  const loading = useRouterState({ select: (state) => state.isLoading })
  const target = useRouterState({ select: (state) => state.location.href })
  const [state, setState] = useState<'idle' | 'loading' | 'done'>('idle')
  useEffect(() => {
    if (!loading) {
      const finish = setTimeout(() => setState((now) => (now === 'loading' ? 'done' : now)), 0)
      const hide = setTimeout(() => setState('idle'), 400)
      return () => {
        clearTimeout(finish)
        clearTimeout(hide)
      }
    }
    const timer = setTimeout(() => setState('loading'), 20)
    return () => clearTimeout(timer)
  }, [loading])
  return <div key={target} aria-hidden className="loading-bar" data-state={state} />
}
