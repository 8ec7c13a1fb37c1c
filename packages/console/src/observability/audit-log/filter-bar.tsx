import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { ChoiceSelect } from '../../ui/list-controls/choice-select.tsx'
import { SearchField } from '../../ui/list-controls/search-field.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import { actorText, targetText } from '../../workspace/history/entries.tsx'
import { type AuditSearch, filtersOf, noFilters, rangeOf, ranges, results } from './filters.ts'
import { auditEntriesQuery } from './entries.ts'

type FilterBarProps = { search: AuditSearch; onChange: (changes: AuditSearch) => void }

const cross = <X size={14} strokeWidth={1.5} aria-hidden />

type MomentProps = { label: string; value: string; onChange: (value: string) => void }

const Moment = ({ label, value, onChange }: MomentProps) => (
  <label className="flex items-center gap-2 text-secondary">
    {label}
    <input
      type="datetime-local"
      value={value}
      className="field-control w-auto!"
      onChange={(event) => onChange(event.target.value)}
    />
  </label>
)

const rangeLabels = {
  ...Object.fromEntries(Object.entries(ranges).map(([id, { label }]) => [id, label])),
  between: 'Between…',
}

/** Search, time range and filters above the log. */
export function FilterBar({ search, onChange }: FilterBarProps) {
  const range = rangeOf(search)
  return (
    <search
      aria-label="Search and filter the audit log"
      className="flex flex-wrap items-center gap-2 px-(--gutter) pb-3"
    >
      <div className="flex max-sm:basis-full">
        <SearchField
          label="Search audit log"
          value={search.search ?? ''}
          onChange={(text) => onChange({ search: text })}
        />
      </div>
      <ChoiceSelect
        label="Time"
        value={range}
        options={rangeLabels}
        active={range !== 'day'}
        onChange={(next) => onChange({ range: next === 'day' ? '' : next, from: '', to: '' })}
      />
      {range === 'between' && (
        <>
          <Moment label="From" value={search.from ?? ''} onChange={(from) => onChange({ from })} />
          <Moment label="To" value={search.to ?? ''} onChange={(to) => onChange({ to })} />
        </>
      )}
      <ChoiceSelect
        label="Result"
        value={search.result || 'all'}
        options={{ all: 'All results', ...results }}
        active={Boolean(search.result)}
        onChange={(next) => onChange({ result: next === 'all' ? '' : next })}
      />
      <Chips search={search} onChange={onChange} />
      {Object.keys(search).some((name) => name in noFilters) && (
        <Button variant="ghost" icon={cross} onClick={() => onChange(noFilters)}>
          Clear
        </Button>
      )}
    </search>
  )
}

/** Filters set from a row's menu; their names come from a matching entry. */
function Chips({ search, onChange }: FilterBarProps) {
  const { user, operation, target } = search
  const { data } = useQuery({
    ...auditEntriesQuery({ ...filtersOf({ range: 'all', user, operation, target }, 0), limit: 1 }),
    enabled: Boolean(user || operation || target),
  })
  const entry = data?.items[0]
  const chips = [
    user && { name: 'user', label: `User: ${entry ? actorText(entry) : user}` },
    operation && { name: 'operation', label: `Operation: ${entry?.summary ?? operation}` },
    target && {
      name: 'target',
      label: `Target: ${entry?.target ? targetText(entry.target) : target}`,
    },
  ]
  return chips.map(
    (chip) =>
      chip && (
        <Button
          key={chip.name}
          aria-label={`Remove the filter ${chip.label}`}
          onClick={() => onChange({ [chip.name]: '' })}
          className="max-w-full min-w-0 shrink!"
        >
          <span className="max-w-72 truncate" {...tooltip(chip.label, 'truncated')}>
            {chip.label}
          </span>
          {cross}
        </Button>
      ),
  )
}
