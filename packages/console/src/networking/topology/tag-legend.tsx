import { parseTag } from '@steading/api/rules'
import { Check } from 'lucide-react'
import type { CSSProperties } from 'react'
import { Listbox } from '../../ui/form/listbox-field.tsx'
import { formatNumber } from '../../ui/number.ts'
import { hueOf } from '../../workspace/tags/tag-chip.tsx'

/** Value of the choice of no key. */
const NONE = ''

/** Values in the legend; more can be found by the search of the list of instances. */
const SHOWN = 24

/** Tags of instances → how many have each. */
export function tagCounts(tags: Iterable<readonly string[]>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const tag of [...tags].flat()) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return counts
}

type LegendProps = {
  counts: ReadonlyMap<string, number>
  tagKey: string | undefined
  tag: string | undefined
  onChoose: (tagKey: string | undefined, tag?: string) => void
}

/** The choice of a key whose values colour the instances, and of a value that is highlighted. */
export function TagLegend({ counts, tagKey, tag, onChoose }: LegendProps) {
  const keys = [...new Set([...counts.keys()].map((one) => parseTag(one).key))].toSorted()
  if (keys.length === 0) return null
  const tags = [...counts]
    .filter(([one]) => parseTag(one).key === tagKey)
    .toSorted(([, one], [, other]) => other - one)
  return (
    <div className="flex flex-wrap items-center gap-2 px-(--gutter) pb-3">
      <Listbox
        aria-label="Colour by tag"
        className="w-44 shrink-0"
        options={[
          { value: NONE, label: 'Colour by: none' },
          ...keys.map((key) => ({ value: key, label: `Tag ${key}` })),
        ]}
        value={tagKey ?? NONE}
        onChange={(key) => onChoose(key === NONE ? undefined : key)}
      />
      {tagKey !== undefined && (
        <div role="group" aria-label={`Highlight by ${tagKey}`} className="flex flex-wrap gap-1.5">
          {tags.slice(0, SHOWN).map(([one, count]) => (
            <span key={one} className="tag-chip" style={{ '--hue': hueOf(one) } as CSSProperties}>
              <button
                type="button"
                aria-pressed={one === tag}
                className="tabular-nums"
                onClick={() => onChoose(tagKey, one === tag ? undefined : one)}
              >
                {one === tag && (
                  <Check size={12} strokeWidth={2.5} aria-hidden className="me-1 inline" />
                )}
                {parseTag(one).value || one} {formatNumber(count)}
              </button>
            </span>
          ))}
          {tags.length > SHOWN && (
            <span className="self-center text-xs text-tertiary">+{tags.length - SHOWN}</span>
          )}
        </div>
      )}
    </div>
  )
}
