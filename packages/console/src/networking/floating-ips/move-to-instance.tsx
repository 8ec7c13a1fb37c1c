import type { Args, FloatingIp } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { asCode } from '../../workspace/as-code/as-code.tsx'
import { call as stepOf } from '../../workspace/as-code/steps.ts'
import { refetchShown, useApiMutation, whenReread } from '../../data/api.ts'
import { choicesOf } from '../../data/reads.ts'
import { projectInstancesQuery } from '../../compute/instances/queries.ts'
import { Banner } from '../../ui/banner.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { Mono } from '../../ui/text.tsx'
import { doneToast } from '../../ui/toasts.tsx'

type Props = {
  project: string
  floatingIp: Pick<FloatingIp, 'id' | 'name' | 'ip'>
  /** The instance it is attached to. */
  instanceId: string
  onDismiss: () => void
}

/**
 * Moves an address to another instance by detaching and attaching it. If attaching fails, the
 * dialog stays open with a notice that the address is detached, and a retry only attaches it.
 */
export default function MoveToInstanceModal({ project, floatingIp, instanceId, onDismiss }: Props) {
  const { id, name, ip } = floatingIp
  const form = useForm({ defaultValues: { instance: '' } })
  const instances = useQuery(projectInstancesQuery(project))
  const [isLoose, setIsLoose] = useState(false)
  const path = { floatingIp: id }
  const attachArgs = (instance: string): Args<'floatingIpAttach'> => ({
    path,
    body: { kind: 'instance', parent: instance },
  })
  const attach = useApiMutation('floatingIpAttach', {
    onSuccess: async () => {
      await whenReread()
      doneToast('Floating IP', name, 'moved')
      onDismiss()
    },
    onError: () => void refetchShown(),
  })
  const detach = useApiMutation('floatingIpDetach', {
    onSuccess: () => setIsLoose(true),
  })
  const move = async ({ instance }: { instance: string }) => {
    try {
      if (!isLoose) await detach.mutateAsync({ path })
      await attach.mutateAsync(attachArgs(instance))
    } catch {
      // The dialog shows the error of the call that failed.
    }
  }
  const choices = choicesOf(instances, (one) => ({ value: one.id, label: one.name }))
  return (
    <ModalForm
      form={form}
      title="Move floating IP"
      submitLabel="Move"
      onSubmit={(values) => void move(values)}
      loading={detach.isPending || attach.isPending}
      submitError={detach.error ?? attach.error}
      calls="floatingIpAttach"
      code={({ instance }) =>
        asCode(
          stepOf('floatingIpDetach', { path }),
          stepOf('floatingIpAttach', attachArgs(instance)),
        )
      }
      onDismiss={onDismiss}
    >
      <Banner>
        {isLoose ? (
          <>
            <Mono>{ip}</Mono> is detached, and leads to no instance until it is attached to one
          </>
        ) : (
          <>
            <Mono>{ip}</Mono> will lead to the selected instance; connections to it are cut
          </>
        )}
      </Banner>
      <ListboxField
        name="instance"
        label="Instance"
        placeholder="Select an instance"
        control={form.control}
        {...choices}
        options={choices.options.filter(({ value }) => isLoose || value !== instanceId)}
        empty="No other instances found"
      />
    </ModalForm>
  )
}
