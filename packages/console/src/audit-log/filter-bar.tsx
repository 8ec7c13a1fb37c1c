import { X } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { SearchField } from '../ui/list-controls/search-field.tsx'
import { type AuditSearch, rangeOf, ranges, results } from './filters.ts'

type FilterBarProps = { search: AuditSearch; onChange: (changes: AuditSearch) => void }

const cross = <X size={14} strokeWidth={1.5} aria-hidden />

/** Filters that are set from the menu of a row. */
const chips = {
  user: 'One user',
  operation: 'One operation',
  target: 'One target',
} as const

const none: AuditSearch = {
  range: '',
  from: '',
  to: '',
  result: '',
  search: '',
  user: '',
  operation: '',
  target: '',
}

type SelectProps = {
  label: string
  value: string
  options: Record<string, string>
  onChange: (value: string) => void
}

const Select = ({ label, value, options, onChange }: SelectProps) => (
  <select
    aria-label={label}
    value={value}
    className="field-control w-auto!"
    onChange={(event) => onChange(event.target.value)}
  >
    {Object.entries(options).map(([id, text]) => (
      <option key={id} value={id}>
        {text}
      </option>
    ))}
  </select>
)

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

/** Above the log: a search, the time, and what else narrows it. */
export function FilterBar({ search, onChange }: FilterBarProps) {
  const range = rangeOf(search)
  const set = Object.entries(chips).filter(([name]) => search[name as keyof typeof chips])
  return (
    <search className="flex flex-wrap items-center gap-2 px-(--gutter) pb-3">
      <div className="flex flex-1 max-sm:basis-full">
        <SearchField
          label="Search audit log"
          value={search.search ?? ''}
          onChange={(text) => onChange({ search: text })}
        />
      </div>
      <Select
        label="Time"
        value={range}
        options={rangeLabels}
        onChange={(next) => onChange({ range: next === 'day' ? '' : next, from: '', to: '' })}
      />
      {range === 'between' && (
        <>
          <Moment label="From" value={search.from ?? ''} onChange={(from) => onChange({ from })} />
          <Moment label="To" value={search.to ?? ''} onChange={(to) => onChange({ to })} />
        </>
      )}
      <Select
        label="Result"
        value={search.result ?? ''}
        options={{ '': 'All results', ...results }}
        onChange={(result) => onChange({ result })}
      />
      {set.map(([name, label]) => (
        <Button key={name} icon={cross} onClick={() => onChange({ [name]: '' })}>
          {name === 'operation' ? search.operation : label}
        </Button>
      ))}
      {Object.keys(search).some((name) => name in none) && (
        <Button variant="ghost" icon={cross} onClick={() => onChange(none)}>
          Clear
        </Button>
      )}
    </search>
  )
}
