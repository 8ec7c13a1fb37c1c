import type { Args, ExternalSubnet, FloatingIp } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { projectInstancesQuery } from '../../compute/instances/queries.ts'
import { whenReread } from '../../data/api.ts'
import { choicesOf } from '../../data/reads.ts'
import { Banner } from '../../ui/banner.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { Mono } from '../../ui/text.tsx'
import { doneToast, errorToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { plannedAttachment } from '../external-subnets/queries.ts'
import { PlannedChanges } from '../reachability/planned-changes.tsx'
import type { PlannedChange } from '../reachability/connection-changes.tsx'

type Values = { instance: string }

type AttachModalProps = Pick<
  ComponentProps<typeof ModalForm<Values>>,
  'title' | 'onSubmit' | 'loading' | 'submitError' | 'calls' | 'code' | 'onDismiss'
> & {
  project: string
  /** The planned change for a chosen instance. */
  planned: (instance: string) => PlannedChange
  /** The address at which the instance will be reachable. */
  children: ReactNode
}

/** Dialog to choose the instance that addresses are attached to. */
function AttachModal({ project, planned, children, ...attach }: AttachModalProps) {
  const form = useForm({ defaultValues: { instance: '' } })
  const chosen = useWatch({ control: form.control, name: 'instance' })
  const navigate = useNavigate()
  const toNewInstance = () =>
    void navigate({ to: '/projects/$project/instances-new', params: { project } })
  const instances = useQuery(projectInstancesQuery(project))
  return (
    <ModalForm form={form} submitLabel="Attach" {...attach}>
      <Banner>The selected instance will be reachable at {children}</Banner>
      <ListboxField
        name="instance"
        label="Instance"
        placeholder="Select an instance"
        control={form.control}
        {...choicesOf(instances, ({ id, name }) => ({ value: id, label: name }))}
        empty="No instances found"
        whenEmpty={{ label: 'Create instance', onAction: toNewInstance }}
      />
      <PlannedChanges change={chosen ? planned(chosen) : undefined} />
    </ModalForm>
  )
}

type AttachFloatingIpProps = { project: string; floatingIp: FloatingIp; onDismiss: () => void }

export function AttachFloatingIp({ project, floatingIp, onDismiss }: AttachFloatingIpProps) {
  const { id, ip } = floatingIp
  const argsOf = ({ instance }: Values): Args<'floatingIpAttach'> => ({
    path: { floatingIp: id },
    body: { kind: 'instance', parent: instance },
  })
  const attach = useApiForm('floatingIpAttach', argsOf, {
    onSuccess: async ({ name }) => {
      // The dialog must offer only the remaining choices when it opens again.
      await whenReread()
      doneToast('Floating IP', name, 'attached')
      onDismiss()
    },
    onError: ({ message }) => errorToast('Error', message),
  })
  return (
    <AttachModal
      project={project}
      title="Attach floating IP"
      planned={(parent) => ({ body: { type: 'floating_ip_attach', floatingIp: id, parent } })}
      {...attach}
      onDismiss={onDismiss}
    >
      <Mono>{ip}</Mono>
    </AttachModal>
  )
}

type AttachSubnetProps = { project: string; externalSubnet: ExternalSubnet; onDismiss: () => void }

export function AttachExternalSubnet({ project, externalSubnet, onDismiss }: AttachSubnetProps) {
  const { id, subnet } = externalSubnet
  const argsOf = ({ instance }: Values): Args<'externalSubnetAttach'> => ({
    path: { externalSubnet: id },
    body: { instance },
  })
  const attach = useApiForm('externalSubnetAttach', argsOf, {
    onSuccess: async ({ name }) => {
      // The dialog must offer only the remaining choices when it opens again.
      await whenReread()
      doneToast('External subnet', name, 'attached')
      onDismiss()
    },
  })
  return (
    <AttachModal
      project={project}
      title="Attach external subnet"
      planned={(instance) => plannedAttachment(id, instance)}
      {...attach}
      onDismiss={onDismiss}
    >
      subnet <Mono>{subnet}</Mono>
    </AttachModal>
  )
}
