import type { Args, SwitchPortDetails } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { usePrefetchedQuery } from '../../data/api.ts'
import { choicesOf } from '../../data/reads.ts'
import { useEditForm } from '../../forms/use-edit-form.tsx'
import { allPortSettingsQuery } from '../switch-port-settings/queries.ts'
import { Banner } from '../../ui/banner.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { portArgs, portQuery } from './queries.ts'

type Values = { portSettings: string }

export function ApplyForm() {
  const navigate = useNavigate()
  const params = useParams({
    from: '/shell/system/switch-ports-crumb/system/networking/switch-ports/$switchPort/apply',
  })
  const { data: port } = usePrefetchedQuery(portQuery(params.switchPort))
  const settings = useQuery(allPortSettingsQuery)
  const close = () => void navigate({ to: '/system/networking/switch-ports/$switchPort', params })
  const argsOf = (body: Values): Args<'networkingSwitchPortApplySettings'> => ({
    ...portArgs(port),
    body,
  })
  const { form, ...apply } = useEditForm('networkingSwitchPortApplySettings', {
    resource: 'switch port',
    read: portQuery(params.switchPort),
    tagged: false,
    valuesOf: (read: SwitchPortDetails): Values => ({ portSettings: read.portSettingsName ?? '' }),
    fields: { portSettings: 'Port settings' },
    argsOf,
    onSuccess: (_, { body }) => {
      doneToast('Port settings', body.portSettings, `applied to ${port.name}`)
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      title="Apply port settings"
      submitLabel="Apply settings"
      {...apply}
      onDismiss={close}
    >
      {port.portSettingsName && (
        <Banner variant="notice" title={`The port has the settings ${port.portSettingsName}`}>
          Other settings bring its links up anew and interrupt the sessions over them.
        </Banner>
      )}
      <ListboxField
        name="portSettings"
        label="Port settings"
        description={`Configuration of ${port.name}: its links, addresses, routes and BGP peers`}
        control={form.control}
        empty="No port settings"
        whenEmpty={{
          label: 'New port settings',
          onAction: () => void navigate({ to: '/system/networking/port-settings-new' }),
        }}
        {...choicesOf(settings, ({ name }) => ({ value: name, label: name }))}
      />
    </SideModalForm>
  )
}
