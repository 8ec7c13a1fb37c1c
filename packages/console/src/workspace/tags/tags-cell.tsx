import { tagSearch } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { samePage } from '../../data/addresses.ts'
import { EmptyCell } from '../../ui/text.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import { TagChip } from './tag-chip.tsx'

/** Tags in a row of a list; more are in a tooltip. */
const SHOWN = 2

/** The tags of a row. A click filters the list. */
export default function TagsCell({ tags = [] }: { tags?: readonly string[] }) {
  const navigate = useNavigate()
  if (tags.length === 0) return <EmptyCell />
  const more = tags.slice(SHOWN)
  return (
    <span className="flex min-w-0 items-center gap-1">
      {tags.slice(0, SHOWN).map((tag) => (
        <TagChip key={tag} tag={tag}>
          <button
            type="button"
            aria-label={`Filter by ${tag}`}
            onClick={() => void navigate(samePage((before) => ({ ...before, q: tagSearch(tag) })))}
          >
            {tag}
          </button>
        </TagChip>
      ))}
      {more.length > 0 && (
        <span className="text-xs text-tertiary" {...tooltip(more.join(', '))}>
          +{more.length}
        </span>
      )}
    </span>
  )
}
