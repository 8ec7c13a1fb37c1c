import type { ListedKind } from '@steading/api/rules'
import { History } from 'lucide-react'
import { useHistoryAction } from '../workspace/history/history-action.ts'
import { StarButton } from '../workspace/stars/stars.tsx'
import { IconButton } from '../ui/button.tsx'

type ResourceButtonsProps = { kind: ListedKind; thing: { id: string; name: string } }

/** Header buttons of a resource's panel: history and star. */
export function ResourceButtons({ kind, thing }: ResourceButtonsProps) {
  const [history] = useHistoryAction(kind)(thing)
  return (
    <span className="flex">
      {history && (
        <IconButton
          label={history.label}
          onClick={history.onAction}
          icon={<History size={16} strokeWidth={1.5} aria-hidden />}
        />
      )}
      <StarButton kind={kind} thing={thing} />
    </span>
  )
}
