import type { Wire } from '@steading/api'

export const LIVE = '/x/v1/health/live'
const READY = ['/x/v1/health', '/x/v1/health/ready']

/** Whether a path is a health check without credentials. */
export const isHealthPath = (path: string): boolean => path === LIVE || READY.includes(path)

const noStore = { 'cache-control': 'no-store' }

/** Answer of a health check; undefined stands for a control plane that is not ready yet. */
export function healthAnswer(path: string, health?: Wire.Health): Response {
  const live: Wire.Liveness = { live: true }
  if (path === LIVE) return Response.json(live, { headers: noStore })
  const known: Wire.Health = health ?? { live: true, ready: false, status: 'starting' }
  return Response.json(known, { status: known.ready ? 200 : 503, headers: noStore })
}
