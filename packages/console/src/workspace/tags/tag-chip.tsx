import type { TagsChange } from '@steading/api/client'
import { parseTag } from '@steading/api/rules'
import { X } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { tooltip } from '../../ui/tooltip.tsx'

/** Hues of the colour wheel that differ from each other. */
const HUES = [25, 70, 110, 155, 200, 245, 290, 335]

/** The hue of a text, such as the key of a tag, the same everywhere. */
export function hueOf(key: string): number {
  let hash = 0
  for (const character of key) hash = (hash * 31 + character.codePointAt(0)!) % 65_521
  return HUES[hash % HUES.length]!
}

type TagChipProps = {
  tag: string
  /** The text, or a link or button around it. */
  children?: ReactNode
  onRemove?: () => void
}

/** A tag of a resource. */
export const TagChip = ({ tag, children, onRemove }: TagChipProps) => (
  <span
    className="tag-chip"
    style={{ '--hue': hueOf(parseTag(tag).key) } as CSSProperties}
    {...tooltip(tag, 'truncated')}
  >
    {children ?? <span>{tag}</span>}
    {onRemove && (
      <button type="button" aria-label={`Remove ${tag}`} onClick={onRemove}>
        <X size={12} strokeWidth={2} aria-hidden className="mx-auto" />
      </button>
    )}
  </span>
)

const Chips = ({ verb, tags }: { verb: string; tags: readonly string[] | undefined }) =>
  tags?.length ? (
    <>
      {verb}
      {tags.map((tag) => (
        <TagChip key={tag} tag={tag} />
      ))}
    </>
  ) : null

/** A change of tags: `Set env:prod Remove tier` */
export const TagsChangeView = ({ set, remove }: TagsChange) => (
  <p className="flex flex-wrap items-center gap-1.5">
    <Chips verb="Set" tags={set} />
    <Chips verb="Remove" tags={remove} />
  </p>
)
