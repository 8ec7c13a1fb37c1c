import { ChevronDown } from 'lucide-react'
import { ChoicesMenu } from './choices-menu.tsx'

type ChoiceSelectProps = {
  label: string
  value: string
  /** Values with their labels. */
  options: Record<string, string>
  /** The choice narrows the list. */
  active: boolean
  onChange: (value: string) => void
}

/** A filter of one value above a table, which shows its value. */
export const ChoiceSelect = ({ label, value, options, active, onChange }: ChoiceSelectProps) => (
  <ChoicesMenu
    label={`${label}: ${options[value]}`}
    active={active}
    sections={[
      {
        label,
        items: Object.entries(options).map(([id, text]) => ({ id, label: text })),
        selected: [value],
        single: true,
        onChange: ([next = value]) => onChange(next),
      },
    ]}
  >
    {options[value]}
    <ChevronDown size={14} strokeWidth={1.5} aria-hidden className="text-tertiary" />
  </ChoicesMenu>
)
