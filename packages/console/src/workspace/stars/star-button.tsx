import type { ListedKind } from '@steading/api/rules'
import { Star } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { useStars } from './queries.ts'
import { useStarAction } from './star-action.tsx'

type StarButtonProps = { kind: ListedKind; thing: { id: string; name: string } }

/** Beside the name of a thing, on its page or its panel: whether it has a star. */
export function StarButton({ kind, thing }: StarButtonProps) {
  const [action] = useStarAction(kind)(thing)
  const starred = useStars()?.some(({ id }) => id === thing.id)
  if (!action) return null
  return (
    <IconButton
      label={action.label}
      sends
      onClick={action.onAction}
      className={cx(starred && 'text-accent-text!')}
      icon={
        <Star size={16} strokeWidth={1.5} aria-hidden fill={starred ? 'currentColor' : 'none'} />
      }
    />
  )
}
