import { permissions } from '@steading/api/permissions'
import {
  access,
  type KindName,
  type RequiredActions,
  operationProblem,
  mainKinds,
} from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { useCurrentUser } from '../../data/session.ts'
import { type Calls, refusalOfCalls } from '../../ui/server-state.ts'
import { type GrantsIn, useGrants } from './grants.ts'

const requiredActionsOf: Readonly<Record<string, RequiredActions>> = permissions

/** The project and silo of a page, if any. */
type Here = { project?: string; silo?: string; ownSilo: readonly string[] }

/** Reason why the user may not call an operation. */
function whyNot(held: GrantsIn, here: Here, calls: Calls): string | undefined {
  const {
    operation,
    requires,
    about,
    project = here.project,
    silo = here.silo,
  } = (typeof calls === 'string' ? { operation: calls } : calls) as Exclude<Calls, string>
  const requiredActions = requires ?? requiredActionsOf[operation]
  if (!requiredActions) return undefined
  const kinds = about ?? mainKinds(requiredActions)
  const inProject = kinds.some((kind) => access[kind as KindName].scope === 'project')
  // The project is unknown here.
  if (inProject && project === undefined) return undefined
  const known = held(project)
  const elsewhere = silo !== undefined && !here.ownSilo.includes(silo)
  return known && operationProblem(requiredActions, { ...known, elsewhere }, kinds)
}

/** Tells all actions on the screen whether the user may perform them, and again on changes. */
export default function PermissionWatch() {
  const { project, silo } = useParams({ strict: false })
  const { siloId, siloName } = useCurrentUser()
  const held = useGrants(project)
  // Keep the identity of an unchanged answer, so that actions do not rerender.
  const known = useMemo(() => {
    const here = { project, silo, ownSilo: [siloId, siloName] }
    return (calls: Calls) => whyNot(held, here, calls)
  }, [held, project, silo, siloId, siloName])
  useEffect(() => refusalOfCalls.set(known), [known])
  return null
}
