import { TOKEN_LIFETIME_MAX } from '@steading/api/rules'
import { useWatch } from 'react-hook-form'
import { apiQuery, invalidate } from '../../data/api.ts'
import { type EditedRead, useEditForm } from '../../forms/use-edit-form.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { formatNumber } from '../../ui/number.ts'
import { addToast } from '../../ui/toasts.tsx'
import { inUnits, type Unit, unitNames, units } from './lifetime.ts'

type Values = { limit: 'none' | 'some'; amount: number; unit: Unit }

const limits = [
  {
    value: 'none',
    label: 'No limit',
    description: 'A program may ask for a token that never expires.',
  },
  { value: 'some', label: 'At most' },
]
const unitOptions = unitNames.map((unit) => ({ value: unit, label: unit }))

const secondsOf = ({ limit, amount, unit }: Values) =>
  limit === 'none' ? null : amount * units[unit]

type Lifetime = { deviceTokenMaxTtlSeconds?: number | null }
const read: EditedRead<Lifetime> = apiQuery('authSettingsView', {})

const valuesOf = ({ deviceTokenMaxTtlSeconds: seconds }: Lifetime): Values =>
  typeof seconds === 'number'
    ? { limit: 'some', ...inUnits(seconds) }
    : { limit: 'none', amount: 30, unit: 'days' }

const lifetimeText = ({ limit, amount, unit }: Values) =>
  limit === 'none' ? 'No limit' : `At most ${formatNumber(amount)} ${unit}`

type Props = { silo: string; present: number | null; onDismiss: () => void }

/** Sets the maximum lifetime of the silo's access tokens. */
export function TokenLifetime({ silo, present, onDismiss }: Props) {
  const { form, ...update } = useEditForm('authSettingsUpdate', {
    resource: 'token lifetime',
    read,
    opened: { deviceTokenMaxTtlSeconds: present },
    valuesOf: (settings: Lifetime): { lifetime: Values } => ({ lifetime: valuesOf(settings) }),
    fields: { lifetime: { label: 'Lifetime', text: lifetimeText } },
    argsOf: ({ lifetime }) => ({ body: { deviceTokenMaxTtlSeconds: secondsOf(lifetime) } }),
    onSuccess: () => {
      void invalidate('authSettingsView')
      addToast('Token lifetime updated')
      onDismiss()
    },
  })
  const { control } = form
  const { limit, unit } = useWatch({ control, name: 'lifetime' })
  const limited = limit === 'some'
  const most = Math.floor(TOKEN_LIFETIME_MAX / units[unit])
  return (
    <ModalForm
      form={form}
      title="Token lifetime"
      submitLabel="Update token lifetime"
      {...update}
      onDismiss={onDismiss}
    >
      <p>
        Applies to access tokens that users of silo {silo} get from now on. Existing tokens keep
        their lifetime.
      </p>
      <RadioField control={control} name="lifetime.limit" label="Lifetime" items={limits} column />
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
    </ModalForm>
  )
}
