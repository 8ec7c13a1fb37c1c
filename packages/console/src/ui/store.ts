import { useSyncExternalStore } from 'react'

/** A value outside of React; components subscribe with `useValue`. */
export function createStore<T>(initial: T) {
  let value = initial
  const listeners = new Set<() => void>()
  const get = () => value
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }
  return {
    get,
    set(next: T): void {
      if (Object.is(next, value)) return
      value = next
      listeners.forEach((listener) => listener())
    },
    /** @returns unsubscribes */
    subscribe,
    useValue: (): T => useSyncExternalStore(subscribe, get),
  }
}
