import { type KindName, kindTable } from '@steading/api/rules'
import type { Author } from '../events/outbox.ts'

/** A thing that a call has looked up or changed. */
export interface NotedThing {
  kind: KindName
  id: string
  name: string
  siloId: string | null
  projectId: string | null
  made: boolean
}

/** Facts that a call collects for its entry in the audit log. */
export interface Trail {
  readonly things: readonly NotedThing[]
  note: (thing: Omit<NotedThing, 'made'>, made?: boolean) => void
  /** The silo concerned by a call without credentials. */
  siloId?: string
  /** The user who signed in with the call. */
  author?: Author
}

export function createTrail(): Trail {
  const things: NotedThing[] = []
  return {
    things,
    note(thing, made = false) {
      const known = things.find(({ id, kind }) => id === thing.id && kind === thing.kind)
      if (!known) things.push({ ...thing, made })
    },
  }
}

/** Containers, which a call names only to find the things inside. */
const containers: readonly KindName[] = ['silo', 'project']

/** Related things that the log can be searched by: those of kinds with a page of their own. */
export const relatedThings = (trail: Trail, targetId: string | null): string[] =>
  trail.things
    .filter(
      ({ kind, id }) => id !== targetId && !containers.includes(kind) && kindTable[kind].listed,
    )
    .map(({ id }) => id)
