import type { Args, ExternalSubnet } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { invalidate } from '../../data/api.ts'
import { choicesOf } from '../../data/reads.ts'
import { projectInstancesQuery } from '../../compute/instances/queries.ts'
import { PlannedChanges } from '../reachability/planned-changes.tsx'
import { Banner } from '../../ui/banner.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { Mono } from '../../ui/text.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { plannedAttachment } from './planned.ts'

type Props = { project: string; externalSubnet: ExternalSubnet; onDismiss: () => void }

export default function AttachToInstanceModal({ project, externalSubnet, onDismiss }: Props) {
  const form = useForm({ defaultValues: { instance: '' } })
  const chosen = useWatch({ control: form.control, name: 'instance' })
  const navigate = useNavigate()
  const toNewInstance = () =>
    void navigate({ to: '/projects/$project/instances-new', params: { project } })
  const instances = useQuery(projectInstancesQuery(project))
  const argsOf = ({ instance }: { instance: string }): Args<'externalSubnetAttach'> => ({
    path: { externalSubnet: externalSubnet.id },
    body: { instance },
  })
  const attach = useApiForm('externalSubnetAttach', argsOf, {
    onSuccess: async ({ name }) => {
      // When the dialog opens again, it must offer the remaining choices.
      await invalidate('externalSubnetList', 'externalSubnetView', 'instanceExternalSubnetList')
      doneToast('External subnet', name, 'attached')
      onDismiss()
    },
  })
  return (
    <ModalForm
      form={form}
      title="Attach external subnet"
      submitLabel="Attach"
      {...attach}
      onDismiss={onDismiss}
    >
      <Banner>
        The selected instance will be reachable at subnet <Mono>{externalSubnet.subnet}</Mono>
      </Banner>
      <ListboxField
        name="instance"
        label="Instance"
        placeholder="Select an instance"
        control={form.control}
        {...choicesOf(instances, ({ id, name }) => ({ value: id, label: name }))}
        empty="No instances found"
        whenEmpty={{ label: 'Create instance', onAction: toNewInstance }}
      />
      <PlannedChanges change={chosen ? plannedAttachment(externalSubnet.id, chosen) : undefined} />
    </ModalForm>
  )
}
