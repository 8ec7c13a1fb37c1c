import { type ActionFacts, type KindName, kindTable } from '@steading/api/rules'
import type { Author } from '../events/outbox.ts'

/** A resource that a call has looked up or changed. */
export interface NotedResource {
  kind: KindName
  id: string
  name: string
  siloId: string | null
  projectId: string | null
  made: boolean
}

/** Facts that a call collects for its entry in the audit log. */
export interface AuditContext {
  readonly resources: readonly NotedResource[]
  note: (resource: Omit<NotedResource, 'made'>, made?: boolean) => void
  /** Texts in the sentence about the action, besides the names of resources. */
  readonly facts: ActionFacts
  tell: (facts: ActionFacts) => void
  /** The silo concerned by a call without credentials. */
  siloId?: string
  /** The user who signed in with the call. */
  author?: Author
}

export function createAuditContext(): AuditContext {
  const resources: NotedResource[] = []
  const facts: Record<string, string> = {}
  return {
    resources,
    facts,
    tell: (more) => void Object.assign(facts, more),
    note(resource, made = false) {
      const known = resources.find(({ id, kind }) => id === resource.id && kind === resource.kind)
      if (!known) resources.push({ ...resource, made })
    },
  }
}

/** Containers, which a call names only to find the resources inside. */
const containers: readonly KindName[] = ['silo', 'project']

/**
 * Related resources that the log can be searched by: those of kinds with a page of their own. A
 * deleted resource and the restored one have the same id.
 */
export const relatedResources = (audit: AuditContext, targetId: string | null): string[] => {
  const related = audit.resources.filter(
    ({ kind, id }) => id !== targetId && !containers.includes(kind) && kindTable[kind].listed,
  )
  return [...new Set(related.map(({ id }) => id))]
}
