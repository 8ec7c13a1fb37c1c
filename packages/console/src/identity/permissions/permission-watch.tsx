import { permissions } from '@steading/api/permissions'
import {
  access,
  type KindName,
  type Needs,
  operationProblem,
  usuallyAbout,
} from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { useCurrentUser } from '../../data/session.ts'
import { type Calls, permitting } from '../../ui/server-state.ts'
import { type HeldIn, useHeld } from './held.ts'

const needsOf: Readonly<Record<string, Needs>> = permissions

/** The project and the silo of a page, where it is about one. */
type Here = { project?: string; silo?: string; ownSilo: readonly string[] }

/** Why the user may not call an operation. */
function whyNot(held: HeldIn, here: Here, calls: Calls): string | undefined {
  const {
    operation,
    about,
    project = here.project,
    silo = here.silo,
  } = typeof calls === 'string' ? { operation: calls } : calls
  const needs = needsOf[operation]
  if (!needs) return undefined
  const kinds = about ?? usuallyAbout(needs)
  const inProject = kinds.some((kind) => access[kind as KindName].scope === 'project')
  // Which project it is about is not known here.
  if (inProject && project === undefined) return undefined
  const known = held(project)
  const elsewhere = silo !== undefined && !here.ownSilo.includes(silo)
  return known && operationProblem(needs, { ...known, elsewhere }, kinds)
}

/** Tells all actions on the screen whether the user may do them, and again when that changes. */
export default function PermissionWatch() {
  const { project, silo } = useParams({ strict: false })
  const { siloId, siloName } = useCurrentUser()
  const held = useHeld(project)
  // Actions are drawn again only when the answer is another one.
  const known = useMemo(() => {
    const here = { project, silo, ownSilo: [siloId, siloName] }
    return (calls: Calls) => whyNot(held, here, calls)
  }, [held, project, silo, siloId, siloName])
  useEffect(() => permitting.set(known), [known])
  return null
}
