import { useEffect, useRef, useState } from 'react'

/** Follows `active`, but stays true for at least `milliseconds` to avoid flashing. */
export function useMinimumTime(active: boolean, milliseconds: number): boolean {
  const [shown, setShown] = useState(active)
  const since = useRef(0)
  if (active && !shown) setShown(true)
  useEffect(() => {
    if (active) {
      since.current = Date.now()
      return
    }
    if (!shown) return
    const rest = milliseconds - (Date.now() - since.current)
    const timer = setTimeout(() => setShown(false), Math.max(rest, 0))
    return () => clearTimeout(timer)
  }, [active, shown, milliseconds])
  return active || shown
}

/**
 * Debounces a value, such as input while a user types.
 * @param value JSON, or undefined
 * @param pause milliseconds
 */
export function useDebounced<T>(value: T, pause: number): T {
  const text = JSON.stringify(value) as string | undefined
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause)
    return () => clearTimeout(timer)
  }, [text, pause])
  return (settled === undefined ? undefined : JSON.parse(settled)) as T
}
