import { RESTORABLE_HOURS_MAX, RESTORABLE_HOURS_DEFAULT } from '@steading/api/rules'
import { useWatch } from 'react-hook-form'
import { type EditedRead, useEditForm } from '../../forms/use-edit-form.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { deletionPolicyQuery, hoursText } from './queries.ts'
import { ReasonField } from '../../forms/reason-field.tsx'

type Policy = { restorableHours: number }
type Values = { keep: 'yes' | 'no'; hours: number }
const read: EditedRead<Policy> = deletionPolicyQuery

const valuesOf = ({ restorableHours: hours }: Policy): Values =>
  hours > 0 ? { keep: 'yes', hours } : { keep: 'no', hours: RESTORABLE_HOURS_DEFAULT }

type Props = { silo: string; present: Policy; onDismiss: () => void }

/** Sets for how long the deleted resources of the silo can be restored. */
export default function PolicyDialog({ silo, present, onDismiss }: Props) {
  const { form, ...update } = useEditForm('deletionPolicyUpdate', {
    resource: 'deletion policy',
    read,
    opened: present,
    valuesOf,
    fields: {
      keep: { label: 'Deleted resources', text: (keep) => (keep === 'yes' ? 'kept' : 'not kept') },
      hours: { label: 'Time', text: hoursText },
    },
    argsOf: ({ keep, hours }) => ({ body: { restorableHours: keep === 'yes' ? hours : 0 } }),
    onSuccess: () => {
      addToast('Deletion policy updated')
      onDismiss()
    },
  })
  const keep = useWatch({ control: form.control, name: 'keep' })
  return (
    <ModalForm
      form={form}
      title="Deletion policy"
      submitLabel="Update deletion policy"
      {...update}
      onDismiss={onDismiss}
    >
      <p className="text-secondary">
        Applies to the resources of all projects of silo {silo} that are deleted from now on. The
        ones that are kept already keep their time.
      </p>
      <RadioField
        name="keep"
        label="Deleted resources"
        control={form.control}
        column
        items={[
          { value: 'no', label: 'Delete at once', description: 'Nothing can be restored.' },
          {
            value: 'yes',
            label: 'Keep for some time',
            description: 'They count in no quota. The oldest go first if their storage is needed.',
          },
        ]}
      />
      {/* Keeps its room. */}
      <div className={keep === 'yes' ? undefined : 'invisible'}>
        <NumberField
          name="hours"
          label="Time"
          units="hours"
          control={form.control}
          min={1}
          max={RESTORABLE_HOURS_MAX}
          disabled={keep === 'no'}
        />
      </div>
      <ReasonField operation="deletionPolicyUpdate" />
    </ModalForm>
  )
}
