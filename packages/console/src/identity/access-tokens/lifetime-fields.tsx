import type { ReactNode } from 'react'
import { TOKEN_LIFETIME_MAX } from '@steading/api/rules'
import { useFormContext, useWatch } from 'react-hook-form'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { formatNumber } from '../../ui/number.ts'
import { type Unit, unitNames, units } from './lifetime.ts'

/** A lifetime in a form; without a limit, the amount stays for another choice. */
export type Lifetime = { limit: 'none' | 'some'; amount: number; unit: Unit }

/** Seconds, null without a limit. */
export const secondsOf = ({ limit, amount, unit }: Lifetime): number | null =>
  limit === 'none' ? null : amount * units[unit]

const unitOptions = unitNames.map((unit) => ({ value: unit, label: unit }))

type LifetimeFieldsProps = {
  /** Choice of no limit. */
  none: { label: string; description?: ReactNode }
  /** The longest lifetime in seconds. */
  max?: number
}

/** The fields of `lifetime` in the surrounding form. */
export function LifetimeFields({ none, max = TOKEN_LIFETIME_MAX }: LifetimeFieldsProps) {
  const { control } = useFormContext<{ lifetime: Lifetime }>()
  const { limit, unit } = useWatch({ control, name: 'lifetime' })
  const limited = limit === 'some'
  const most = Math.floor(max / units[unit])
  return (
    <>
      <RadioField
        control={control}
        name="lifetime.limit"
        label="Lifetime"
        items={[
          { value: 'none', ...none },
          { value: 'some', label: 'At most' },
        ]}
        column
      />
      <div className="grid grid-cols-2 gap-4">
        <NumberField
          control={control}
          name="lifetime.amount"
          label="Amount"
          min={1}
          // The unit may be chosen after the amount.
          max={most}
          validate={(amount) =>
            amount > most ? `Must be at most ${formatNumber(most)}` : undefined
          }
          required={limited}
          disabled={!limited}
        />
        <ListboxField
          control={control}
          name="lifetime.unit"
          label="Unit"
          options={unitOptions}
          disabled={!limited}
        />
      </div>
    </>
  )
}
