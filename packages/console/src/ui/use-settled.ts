import { useEffect, useState } from 'react'

/**
 * A value once it has stayed the same for a moment, such as input while a user types.
 * @param value JSON, or undefined
 * @param pause milliseconds
 */
export function useSettled<T>(value: T, pause: number): T {
  const text = JSON.stringify(value) as string | undefined
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause)
    return () => clearTimeout(timer)
  }, [text, pause])
  return (settled === undefined ? undefined : JSON.parse(settled)) as T
}
