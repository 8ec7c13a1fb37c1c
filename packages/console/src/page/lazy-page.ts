import type { RouteComponent } from '@tanstack/react-router'
import { type ComponentType, createElement, use } from 'react'
import { answersPing, checkConnection } from '../data/connection.ts'
import { noAnswer } from '../data/errors.ts'

const RELOADED = 'reloaded-for-code'

/**
 * Loads a code file of pages. If the file is missing although the server is reachable, the
 * running console is an older version: the page is then reloaded, once.
 * @throws ApiError if there is no connection
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    if (!(await answersPing())) {
      void checkConnection()
      throw noAnswer('ping', true, cause)
    }
    const { message } = cause as Error
    if (sessionStorage.getItem(RELOADED) === message) throw cause
    sessionStorage.setItem(RELOADED, message)
    location.reload()
    return new Promise(() => {})
  }
}

/**
 * A page in its own file of the bundle: `component: lazyPage(() => import('./x.tsx'), 'XPage')`.
 * Not typed by the module, since pages link to routes and routes name pages.
 */
export function lazyPage(load: () => Promise<unknown>, name: string): RouteComponent {
  let page: ComponentType | undefined
  let failure: unknown
  let loading: Promise<void> | undefined

  const attempt = async () => {
    try {
      page = ((await loadCode(load)) as Record<string, ComponentType>)[name]
    } catch (error) {
      failure = error
      // Lets the next navigation or "Try again" retry.
      loading = undefined
    }
  }
  /** Never rejects: the page throws on rendering instead. */
  const preload = () => (loading ??= attempt())

  function LazyPage(props: object) {
    if (!page && failure && !loading) throw failure
    if (!page) use(preload())
    return createElement(page!, props)
  }
  return Object.assign(LazyPage, { preload, displayName: name })
}
