import { useState, type ReactNode } from 'react'
import { ChevronDown, Columns3, SlidersHorizontal, X } from 'lucide-react'
import { Button } from '../button.tsx'
import { EmptyState } from '../empty-state.tsx'
import { ChoicesMenu } from './choices-menu.tsx'
import type { Choices, Grouping } from './choices-popup.tsx'
import { capitalized, countText, type Noun } from './count-text.ts'
import { focusSearch, SearchField } from './search-field.tsx'

type Filter<Name extends string> = {
  name: Name
  words: readonly string[]
  selected: string[]
  /** The words are names, shown unchanged. */
  names?: boolean
  /** The control plane counts the rows of each word. */
  counted: boolean
  /** Rows by word, without words that have none. Undefined while unknown. */
  counts?: ReadonlyMap<string, number | null>
}

type ListControlsProps<Name extends string> = {
  noun: Noun
  /** The control plane searches and filters; otherwise only columns can be chosen. */
  searchable: boolean
  /** An empty list has no search. */
  isEmpty: boolean
  isFiltered: boolean
  waiting: boolean
  /** Null: more than the control plane counts. Undefined: unknown. */
  total: number | null | undefined
  totalOfAll: number | null | undefined
  search: string
  onSearch: (text: string) => void
  filters: Filter<Name>[]
  onFilter: (name: Name, words: string[]) => void
  /** Called when these filters are shown, with their words. */
  onFiltersShown: (names: Name[]) => void
  onClear: () => void
  /** In the order of the table. */
  columns: { id: string; label: string; shown: boolean }[]
  onColumns: (ids: ReadonlySet<string>) => void
  /** Offered beside the columns, if the control plane can. */
  grouping?: Grouping | false
  /** Called with the shown columns in another order. */
  onOrder?: (ids: string[]) => void
  /** Beside the search: the button of saved views. */
  views?: ReactNode
  /** At the end; on a phone, above the other controls. */
  end?: ReactNode
}

const wordLabel = (word: string) =>
  /^v[46]$/.test(word)
    ? `IP${word}`
    : capitalized(word.replaceAll('_', ' ')).replace(/\b(saml|oidc|jit|scim)\b/gi, (each) =>
        each.toUpperCase(),
      )

/** Controls above a table: search, filters, count and column choice. */
export function ListControls<Name extends string>(props: ListControlsProps<Name>) {
  const { noun, searchable, isFiltered, waiting, total, totalOfAll } = props
  const {
    search,
    onSearch,
    filters,
    onFilter,
    onFiltersShown,
    onClear,
    columns,
    onColumns,
    onOrder,
  } = props
  // The count refers to the shown rows.
  const count = countText(noun, isFiltered, total, totalOfAll)
  const [said, setSaid] = useState(count)
  if (!waiting && said !== count) setSaid(count)
  if (props.isEmpty) return null
  const shown = searchable ? filters : []
  const filterChoices = shown.map(({ name, words, selected, names, counted, counts }) => ({
    name,
    label: wordLabel(name),
    items: words.map((word) => ({
      id: word,
      label: names ? word : wordLabel(word),
      count: counts && (counts.has(word) ? counts.get(word) : 0),
    })),
    counted: counted ? noun : undefined,
    selected,
    onChange: (next: string[]) =>
      onFilter(
        name,
        words.filter((word) => next.includes(word)),
      ),
  }))
  const columnChoices: Choices = {
    label: 'Columns',
    items: columns.map(({ id, label }) => ({ id, label: capitalized(label) })),
    selected: columns.filter((column) => column.shown).map(({ id }) => id),
    onChange: (next) => onColumns(new Set(next)),
    onOrder,
  }
  const { grouping } = props
  const chosen = filterChoices.reduce((sum, { selected }) => sum + selected.length, 0)
  return (
    <search
      aria-label={`Find ${noun.many}`}
      className="flex flex-wrap items-center gap-2 px-(--gutter) pb-3"
    >
      {searchable && (
        <SearchField label={`Search ${noun.many}`} value={search} onChange={onSearch} />
      )}
      {searchable && props.views}
      {filterChoices.map((choices) => (
        <ChoicesMenu
          key={choices.label}
          label={filterLabel(choices)}
          sections={[choices]}
          active={choices.selected.length > 0}
          onOpenChange={(open) => onFiltersShown(open ? [choices.name] : [])}
          className="max-sm:hidden"
        >
          <span className="max-w-48 truncate">{filterLabel(choices)}</span>
          <ChevronDown size={14} strokeWidth={1.5} aria-hidden className="text-tertiary" />
        </ChoicesMenu>
      ))}
      {isFiltered && (
        <Button
          variant="ghost"
          className="max-sm:hidden"
          icon={<X size={14} strokeWidth={1.5} aria-hidden />}
          onClick={() => {
            focusSearch()
            onClear()
          }}
        >
          Clear
        </Button>
      )}
      {/* Together, so that they move to a line of their own where the window is narrow. */}
      <div className="ms-auto flex flex-wrap items-center justify-end gap-2 max-sm:contents">
        {/* Screen readers announce changes of an output. */}
        <output
          aria-busy={waiting}
          className="me-1 text-tertiary tabular-nums whitespace-nowrap max-sm:sr-only"
        >
          {said}
        </output>
        <ChoicesMenu
          label={
            grouping && grouping.selected ? `Columns, grouped by ${grouping.selected}` : 'Columns'
          }
          sections={[columnChoices]}
          grouping={grouping}
          active={Boolean(grouping && grouping.selected)}
          square
          className="max-sm:hidden"
        >
          <Columns3 size={16} strokeWidth={1.5} aria-hidden />
        </ChoicesMenu>
        <ChoicesMenu
          label={chosen > 0 ? `Filters and columns, ${chosen} chosen` : 'Filters and columns'}
          sections={[...filterChoices, columnChoices]}
          grouping={grouping}
          active={chosen > 0}
          onOpenChange={(open) => onFiltersShown(open ? shown.map(({ name }) => name) : [])}
          square
          className="sm:hidden"
        >
          <SlidersHorizontal size={16} strokeWidth={1.5} aria-hidden />
        </ChoicesMenu>
        {props.end && (
          <div className="ms-1 max-sm:order-first max-sm:ms-0 max-sm:flex max-sm:basis-full max-sm:justify-end">
            {props.end}
          </div>
        )}
      </div>
    </search>
  )
}

/** `State`, `State: Running`, `State: Running +2`. */
function filterLabel({ label, items, selected }: Choices): string {
  const first = items.find(({ id }) => selected.includes(id))
  if (!first) return label
  const more = selected.length - 1
  return `${label}: ${first.label}${more > 0 ? ` +${more}` : ''}`
}

/** Replaces the table when search or filters match nothing in a non-empty list. */
export function NothingMatches({ noun, onClear }: { noun: Noun; onClear: () => void }) {
  return (
    <EmptyState
      icon={<SlidersHorizontal size={20} strokeWidth={1.5} aria-hidden />}
      title={`No ${noun.many} match`}
      body="Try another search or clear the filters"
      action={
        <Button
          onClick={() => {
            focusSearch()
            onClear()
          }}
        >
          Clear search and filters
        </Button>
      }
    />
  )
}
