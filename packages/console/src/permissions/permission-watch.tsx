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
import { type Calls, permitting } from '../ui/permitting.ts'
import { type HeldIn, useHeld } from './held.ts'

const needsOf: Readonly<Record<string, Needs>> = permissions

/** Why the user may not call an operation on the page of a project, or of the silo. */
function whyNot(held: HeldIn, here: string | undefined, calls: Calls): string | undefined {
  const {
    operation,
    about,
    project = here,
  } = typeof calls === 'string' ? { operation: calls } : calls
  const needs = needsOf[operation]
  if (!needs) return undefined
  const kinds = about ?? usuallyAbout(needs)
  const inProject = kinds.some((kind) => access[kind as KindName].scope === 'project')
  // Which project it is about is not known here.
  if (inProject && project === undefined) return undefined
  const known = held(project)
  return known && operationProblem(needs, known, kinds)
}

/** Tells all actions on the screen whether the user may do them, and again when that changes. */
export default function PermissionWatch() {
  const { project } = useParams({ strict: false })
  const held = useHeld(project)
  // Actions are drawn again only when the answer is another one.
  const known = useMemo(() => (calls: Calls) => whyNot(held, project, calls), [held, project])
  useEffect(() => permitting.set(known), [known])
  return null
}
