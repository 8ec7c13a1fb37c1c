import type { Args, LldpLinkConfig } from '@steading/api/client'
import { useNavigate, useParams } from '@tanstack/react-router'
import { usePrefetchedQuery } from '../../data/api.ts'
import { useEditForm } from '../../forms/use-edit-form.tsx'
import {
  LldpFields,
  lldpOf,
  lldpText,
  type LldpValues,
  lldpValuesOf,
} from '../switch-port-settings/lldp-fields.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { lldpQuery, portArgs, portQuery } from './queries.ts'

type Values = { lldp: LldpValues }

export function LldpForm() {
  const navigate = useNavigate()
  const params = useParams({
    from: '/shell/system/switch-ports-crumb/system/networking/switch-ports/$switchPort/lldp',
  })
  const { data: port } = usePrefetchedQuery(portQuery(params.switchPort))
  const close = () => void navigate({ to: '/system/networking/switch-ports/$switchPort', params })
  const argsOf = (
    { lldp }: Values,
    config: LldpLinkConfig,
  ): Args<'networkingSwitchPortLldpConfigUpdate'> => ({
    ...portArgs(port),
    body: { id: config.id, ...lldpOf(lldp) } satisfies LldpLinkConfig,
  })
  const { form, ...update } = useEditForm('networkingSwitchPortLldpConfigUpdate', {
    resource: 'LLDP',
    read: lldpQuery(port),
    valuesOf: (config: LldpLinkConfig): Values => ({ lldp: lldpValuesOf(config) }),
    fields: { lldp: { label: 'LLDP', text: lldpText } },
    argsOf,
    onSuccess: () => {
      doneToast('LLDP of', port.name, 'updated')
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      title="Edit LLDP"
      submitLabel="Update LLDP"
      {...update}
      onDismiss={close}
    >
      <p className="text-secondary">
        LLDP is a part of the settings <b>{port.portSettingsName}</b>, so the change is also made on
        every other port that has them.
      </p>
      <LldpFields control={form.control} prefix="lldp" />
    </SideModalForm>
  )
}
