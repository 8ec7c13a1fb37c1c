import type { HistoryKind } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useCapability } from '../../data/capabilities.ts'
import { type KindOf, kindOf } from '../../data/lists.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { withHistory } from './history-address.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Name of the resource whose history is shown; only its own entries have it. */
    historyOf?: string
  }
}

/** The action "History" of a resource. Missing without the capability. */
export function useHistoryAction<Thing extends { id: string; name: string }>(
  kind: KindOf<HistoryKind, Thing>,
): (thing: Thing) => MenuAction[] {
  const supported = useCapability('auditLog')
  const navigate = useNavigate()
  return (thing) => {
    const { id, name } = thing
    const about = { kind: kindOf(kind, thing), id }
    const onAction = () =>
      void navigate({ to: '.', search: withHistory(about), state: { historyOf: name } })
    return supported ? [{ label: 'History', local: true, onAction }] : []
  }
}
