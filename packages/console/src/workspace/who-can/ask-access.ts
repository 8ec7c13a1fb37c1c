import type { KindName } from '@steading/api/rules'
import type { MenuAction } from '../../ui/menu-action.ts'
import { type KindOf, kindOf } from '../../data/lists.ts'
import { useCapability } from '../../data/capabilities.ts'
import { createStore } from '../../ui/store.ts'

/** Asks who has access to a resource, or about a user's access. */
export type AccessQuestion =
  | { of: 'thing'; kind: KindName; name?: string; project?: string }
  | { of: 'user'; id: string; name: string; project?: string }

const asked = createStore<AccessQuestion | undefined>(undefined)
export const useAskedAccess = asked.useValue
export const askAccess = (question: AccessQuestion): void => asked.set(question)
export const stopAskingAccess = (): void => asked.set(undefined)

/**
 * SSH keys are accessible only to their owner. The answer concerns the caller's own silo; other
 * silos have a tab for it.
 */
const notAsked: readonly KindName[] = ['ssh_key', 'silo']

/** The action for each row of a list. */
export function useWhoCan<Thing extends { name: string }>(
  kind: KindOf<KindName, Thing>,
  project: string | undefined,
): (thing: Thing) => MenuAction[] {
  const supported = useCapability('access')
  return (thing) => {
    const its = kindOf(kind, thing)
    if (!supported || notAsked.includes(its)) return []
    const { name } = thing
    return [
      whoCan({
        of: 'thing',
        kind: inSilo(its, project),
        name,
        project: its === 'project' ? name : project,
      }),
    ]
  }
}

const inSilo = (kind: KindName, project: string | undefined): KindName =>
  kind === 'image' && !project ? 'silo_image' : kind

/** The action "Who can…" of a resource. */
export const whoCan = (question: AccessQuestion & { of: 'thing' }): MenuAction => ({
  label: 'Who can…',
  local: true,
  onAction: () => askAccess(question),
})
