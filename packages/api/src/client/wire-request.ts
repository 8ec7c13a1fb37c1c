import { changes } from '../generated/changes.ts'
import type { Operations } from '../generated/client.ts'
import { reads } from '../generated/reads.ts'
import { type AnyArgs, fillRoute, type WireRequest } from './fill-route.ts'

/** Method and path of each operation. */
export const routes: Record<keyof Operations, string> = {
  ...(Object.fromEntries(
    Object.entries(reads).map(([method, path]) => [method, `GET ${path}`]),
  ) as Record<keyof typeof reads, string>),
  ...changes,
}

/** A call of any operation on the wire. */
export const wireRequest = <M extends keyof Operations>(
  method: M,
  args: Operations[M]['args'],
): WireRequest => fillRoute(routes[method], args as AnyArgs)
