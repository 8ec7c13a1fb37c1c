import type { Instance } from '@steading/api/client'
import { instanceCan } from '@steading/api/rules'
import { useForm, useWatch } from 'react-hook-form'
import { InstanceStateBadge } from '../instances/instance-cells.tsx'
import { Banner } from '../../ui/banner.tsx'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { useAddToGroup } from './membership.tsx'
import type { GroupParams } from './group-kinds.ts'
import { Truncate } from '../../ui/text.tsx'

type Props = { params: GroupParams; candidates: Instance[]; onDismiss: () => void }

export default function AddMemberModal({ params, candidates, onDismiss }: Props) {
  const { kind, project, group } = params
  const form = useForm({ defaultValues: { instance: '' } })
  const add = useAddToGroup(
    kind,
    project,
    ({ instance }: { instance: string }) => ({ instance, group }),
    onDismiss,
  )
  const name = useWatch({ control: form.control, name: 'instance' })
  const chosen = candidates.find((each) => each.name === name)
  const running = chosen && !instanceCan('addToAffinityGroup', chosen.runState)
  return (
    <ModalForm
      form={form}
      title="Add instance to group"
      submitLabel="Add to group"
      {...add}
      onDismiss={onDismiss}
      submitDisabled={running}
    >
      <ComboboxField
        name="instance"
        label="Instance"
        placeholder="Select an instance"
        control={form.control}
        empty="No instances found"
        options={candidates.map(({ name: label, runState }) => ({
          value: label,
          label,
          content: (
            <span className="flex items-center gap-3">
              <Truncate text={label} className="flex-1" />
              <InstanceStateBadge state={runState} />
            </span>
          ),
        }))}
      />
      {running && (
        <Banner variant="notice">This instance must be stopped to add it to a group</Banner>
      )}
    </ModalForm>
  )
}
