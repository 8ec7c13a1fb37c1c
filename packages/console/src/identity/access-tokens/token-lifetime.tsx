import { apiQuery } from '../../data/api.ts'
import { type EditedRead, useEditForm } from '../../forms/use-edit-form.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { formatNumber } from '../../ui/number.ts'
import { addToast } from '../../ui/toasts.tsx'
import { inUnits } from './lifetime.ts'
import { type Lifetime, LifetimeFields, secondsOf } from './lifetime-fields.tsx'
import { ReasonField } from '../../forms/reason-field.tsx'

type Settings = { deviceTokenMaxTtlSeconds?: number | null }
const read: EditedRead<Settings> = apiQuery('authSettingsView', {})

const valuesOf = ({ deviceTokenMaxTtlSeconds: seconds }: Settings): Lifetime =>
  typeof seconds === 'number'
    ? { limit: 'some', ...inUnits(seconds) }
    : { limit: 'none', amount: 30, unit: 'days' }

const lifetimeText = ({ limit, amount, unit }: Lifetime) =>
  limit === 'none' ? 'No limit' : `At most ${formatNumber(amount)} ${unit}`

type Props = { silo: string; present: number | null; onDismiss: () => void }

/** Sets the maximum lifetime of the silo's access tokens. */
export function TokenLifetime({ silo, present, onDismiss }: Props) {
  const { form, ...update } = useEditForm('authSettingsUpdate', {
    resource: 'token lifetime',
    read,
    opened: { deviceTokenMaxTtlSeconds: present },
    valuesOf: (settings: Settings): { lifetime: Lifetime } => ({ lifetime: valuesOf(settings) }),
    fields: { lifetime: { label: 'Lifetime', text: lifetimeText } },
    argsOf: ({ lifetime }) => ({ body: { deviceTokenMaxTtlSeconds: secondsOf(lifetime) } }),
    onSuccess: () => {
      addToast('Token lifetime updated')
      onDismiss()
    },
  })
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
      <LifetimeFields
        none={{
          label: 'No limit',
          description: 'A program may ask for a token that never expires.',
        }}
      />
      <ReasonField operation="authSettingsUpdate" />
    </ModalForm>
  )
}
