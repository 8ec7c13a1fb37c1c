import type { ListedKind } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useCapability } from '../data/capabilities.ts'
import type { MenuAction } from '../ui/menu-action.ts'
import { withHistory } from './history-address.ts'

/** The action that shows what was done with a thing. There is none without the capability. */
export function useHistoryAction(kind: ListedKind): (thing: { id: string }) => MenuAction[] {
  const able = useCapability('auditLog')
  const navigate = useNavigate()
  return ({ id }) => {
    const onAction = () => void navigate({ to: '.', search: withHistory({ kind, id }) })
    return able ? [{ label: 'History', local: true, onAction }] : []
  }
}
