import { tagSearch, tagText } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { samePage } from '../../data/addresses.ts'
import type { RowGroup } from '../../data/joined-list.ts'
import type { ListSearch } from '../../data/list-search.ts'
import { countOf, type Noun } from '../../ui/list-controls/count-text.ts'
import { TagChip } from './tag-chip.tsx'

type GroupHeadProps = Omit<RowGroup, 'items'> & { tagKey: string; noun: Noun }

/** The head of the rows with one value of a tag. A click filters the list. */
export default function GroupHead({ tagKey, value, count, noun }: GroupHeadProps) {
  const navigate = useNavigate()
  const tag = tagText({ key: tagKey, value: value ?? '' })
  const filter = () =>
    void navigate(
      samePage((before: ListSearch) => ({
        ...before,
        q: [before.q, tagSearch(tag)].filter(Boolean).join(' '),
      })),
    )
  return (
    <span className="group-head">
      {value === null ? (
        <span>Without {tagKey}</span>
      ) : (
        <TagChip tag={tag}>
          {/* A key alone would also find all its values. */}
          {value !== '' && (
            <button type="button" aria-label={`Filter by ${tag}`} onClick={filter}>
              {tag}
            </button>
          )}
        </TagChip>
      )}
      {count !== undefined && <span className="text-tertiary">{countOf(noun, count)}</span>}
    </span>
  )
}
