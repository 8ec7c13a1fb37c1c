import { Check, X } from 'lucide-react'

/** A property that is present or absent. */
export function YesNo({ value }: { value: boolean }) {
  const Icon = value ? Check : X
  return (
    <Icon
      size={16}
      strokeWidth={1.5}
      role="img"
      aria-label={String(value)}
      className={value ? 'text-secondary' : 'text-tertiary'}
    />
  )
}
