/** The answers that the table of permissions lets the tests of all operations expect. */
import { once } from 'node:events'
import { request } from 'node:http'
import { type OperationId, operationTable } from '@steading/api'
import {
  access,
  type Action,
  expandRoles,
  type FleetRole,
  type KindName,
  kindTable,
  permits,
  type SiloRole,
} from '@steading/api/rules'
import { type CallArgs, type Caller, locationOf } from '../caller.ts'
import { probes } from './index.ts'
import type { Probe } from './probe.ts'
import { type Role, server } from './world.ts'

/** One call of each operation, or several that differ in their permission: label, operation, probe. */
export const cases = (
  Object.entries(probes) as [OperationId, Probe | Record<string, Probe>][]
).flatMap(([id, probe]): [string, OperationId, Probe][] =>
  typeof probe.args === 'function'
    ? [[id, id, probe as Probe]]
    : Object.entries(probe as Record<string, Probe>).map(([how, one]) => [`${id} ${how}`, id, one]),
)

/** Things that all callers may see, so that refusing an action on them reveals nothing. */
const isOpen = (kind: KindName, action: Action, names: boolean): boolean =>
  kind === 'fleet' ||
  // The log exists, even for a caller who may not read it.
  kind === 'audit_log' ||
  // The collections of the fleet.
  (access[kind].scope === 'fleet' && (action === 'list' || action === 'create')) ||
  // One's own silo, and the collections in it.
  (access[kind].scope === 'silo' &&
    (kind === 'silo' ? !names : action === 'list' || action === 'create')) ||
  // Things of a user are refused to callers who may see the user.
  kindTable[kind].parent === 'silo_user'

/** The action that a call needs for each kind. */
export const neededBy = (permission: Readonly<Record<string, Action>>, { about, needs }: Probe) =>
  (Object.entries({ ...permission, ...needs }) as [KindName, Action][]).filter(
    ([kind]) => !about || about.includes(kind),
  )

/** Whether a call names its things, instead of using the caller's own silo. */
export const namesThings = ({ bodyNames }: Probe, { params, query }: CallArgs<OperationId>) =>
  bodyNames ||
  Object.keys(params ?? {}).some((param) => param !== 'metric_name') ||
  'silo' in (query ?? {})

/** The expected answer to a role by the table of permissions. */
export function expected(
  role: Role,
  id: OperationId,
  probe: Probe,
  args: CallArgs<OperationId>,
): number {
  const { permission, success } = operationTable[id]
  const granted = probe.passes ?? success.status
  if (permission === 'public') return granted
  if (permission === 'scim') return role === 'SCIM token' ? granted : 401
  if (role === 'nobody' || role === 'SCIM token') return 401
  if (permission === 'session') return granted

  const [level, name] = role.split('.') as [string, SiloRole & FleetRole]
  const names = namesThings(probe, args)
  for (const [kind, action] of neededBy(permission, probe)) {
    // Named things are in the silo `main`; other calls are about the caller's own silo.
    const inOwnSilo = role !== 'other silo' || (!names && access[kind].scope === 'silo')
    const grants = expandRoles({
      fleet: level === 'fleet' ? [name] : [],
      silo: level === 'silo' ? [name] : [],
      project: level === 'project' ? [name] : [],
    })
    grants.add('any.user')
    if (inOwnSilo) grants.add('silo.user')
    // A user, a group, a pool or an image of another silo is never found from here.
    const hidden = !inOwnSilo && access[kind].scope !== 'fleet' && kind !== 'audit_log'
    if (hidden && !permits(kind, 'read', grants)) return 404
    const open = isOpen(kind, action, names) && !probe.hides?.includes(kind)
    if (!open && !permits(kind, 'read', grants)) return 404
    if (!permits(kind, action, grants)) return 403
  }
  return granted
}

/** The status of a call; a WebSocket is requested as a browser does. */
export async function statusOf(
  caller: Caller,
  id: OperationId,
  args: CallArgs<OperationId>,
): Promise<number> {
  const path = locationOf(id, args)
  if (operationTable[id].websocket) {
    const asked = request(server.url + path, {
      headers: {
        ...caller.credentials,
        connection: 'upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    })
    asked.end()
    const [answer] = (await once(asked, 'response')) as [{ statusCode: number; resume: () => void }]
    answer.resume()
    return answer.statusCode
  }
  // Streams without end, or of a gigabyte.
  const { permission, success } = operationTable[id]
  if (success.contentType && permission !== 'scim') {
    const response = await caller.fetch(path)
    await response.body?.cancel()
    return response.status
  }
  // Signing out would end the role's one session.
  const quiet = id === 'logout' || id === 'sign_out' ? server.anonymous : caller
  return (await quiet.send(operationTable[id].method, path, args)).status
}
