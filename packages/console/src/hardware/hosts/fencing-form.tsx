import type { HostFencing } from '@steading/api/client'
import {
  asSentence,
  fencingMethodMeanings,
  fencingMethodNames,
  isController,
  isPowerSwitch,
  powerSwitchProblem,
  type PowerSwitchMethod,
  provingMethods,
  type ProvingMethod,
} from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useWatch } from 'react-hook-form'
import { useEditForm } from '../../forms/use-edit-form.tsx'
import { CheckboxField, RadioField } from '../../ui/form/choice-fields.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { hostFencingQuery, useFencingParam } from './queries.ts'

interface Values {
  method: ProvingMethod
  address: string
  /** NaN: the usual one. */
  port: number
  user: string
  system: string
  verifyCertificate: boolean
  automatic: boolean
}

/** The password in code is a placeholder. */
const PASSWORD_IN_CODE = '<password>'

const valuesOf = (fencing: HostFencing): Values => ({
  method: fencing.method === 'none' ? 'redfish' : fencing.method,
  address: fencing.address ?? '',
  port: fencing.port ?? Number.NaN,
  user: fencing.user ?? '',
  system: fencing.system ?? '',
  verifyCertificate: fencing.verifyCertificate,
  automatic: fencing.method === 'none' || fencing.automatic,
})

/** Only what the method has: fields of other methods are hidden. */
function settingsOf({ method, address, port, user, system }: Values) {
  if (!isPowerSwitch(method)) return { method }
  const withController = isController(method)
  return {
    method,
    address: address.trim(),
    port: withController && !Number.isNaN(port) ? port : null,
    user: withController ? user.trim() || null : null,
    system: method === 'ipmi' ? null : system.trim() || null,
  }
}

const problemOf = (field: string, values: Values): string | undefined => {
  const settings = settingsOf(values)
  const found = settings.method === 'leases' ? undefined : powerSwitchProblem(settings)
  return found?.field === field ? asSentence(found.problem) : undefined
}

const addresses: Record<PowerSwitchMethod, { placeholder: string; description: string }> = {
  redfish: { placeholder: 'bmc-1.example', description: 'Of the host’s management controller' },
  ipmi: { placeholder: 'bmc-1.example', description: 'Of the host’s management controller' },
  hypervisor: {
    placeholder: 'qemu+ssh://user@hypervisor/system',
    description: 'Of the hypervisor’s libvirt',
  },
}

export function HostFencingForm() {
  const navigate = useNavigate()
  const hostId = useFencingParam()
  const close = () =>
    void navigate({ to: '/system/inventory/hosts/$host', params: { host: hostId } })
  const { opened, form, code, ...update } = useEditForm('hostFencingUpdate', {
    resource: 'fencing method',
    read: hostFencingQuery(hostId),
    valuesOf,
    fields: {
      method: { label: 'Method', text: (method) => fencingMethodNames[method] },
      address: 'Address',
      port: 'Port',
      user: 'User',
      system: 'System',
      verifyCertificate: 'Verify the certificate',
      automatic: 'Fence automatically',
    },
    entries: { password: '' },
    argsOf: (values) => ({
      path: { hostId },
      body: {
        ...settingsOf(values),
        automatic: values.automatic,
        verifyCertificate: values.method !== 'redfish' || values.verifyCertificate,
        ...(isController(values.method) && values.password && { password: values.password }),
      },
    }),
    onSuccess: () => {
      addToast({ content: 'The fencing method is being checked' })
      close()
    },
  })
  const { control } = form
  const method = useWatch({ control, name: 'method' })
  const withController = isController(method)
  return (
    <SideModalForm
      form={form}
      formType="edit"
      title={opened.method === 'none' ? 'Set fencing method' : 'Change fencing method'}
      submitLabel="Save method"
      {...update}
      code={(values) => code({ ...values, password: values.password && PASSWORD_IN_CODE })}
      onDismiss={close}
    >
      <p className="text-secondary">
        A host that does not answer may still run its instances. They start elsewhere only when this
        method has proven that the host is dead.
      </p>
      <RadioField
        name="method"
        control={control}
        items={provingMethods.map((value) => ({
          value,
          label: fencingMethodNames[value],
          description: `${fencingMethodMeanings[value]}.`,
        }))}
        column
      />
      {isPowerSwitch(method) && (
        <TextField
          name="address"
          control={control}
          required
          mono
          {...addresses[method]}
          validate={(_, values) => problemOf('address', values as Values)}
        />
      )}
      {withController && (
        <>
          <NumberField
            name="port"
            control={control}
            min={1}
            max={65_535}
            required={false}
            placeholder={method === 'ipmi' ? '623' : '443'}
            description="Empty for the usual one"
          />
          <TextField
            name="user"
            control={control}
            required
            ignorePasswordManagers
            validate={(_, values) => problemOf('user', values as Values)}
          />
          <TextField
            name="password"
            control={control}
            type="password"
            autoComplete="new-password"
            ignorePasswordManagers
            required={!opened.hasPassword}
            description={
              opened.hasPassword
                ? 'The present password stays unless you enter another one. It is needed again when method, address or port change'
                : 'Never shown again'
            }
          />
        </>
      )}
      {(method === 'redfish' || method === 'hypervisor') && (
        <TextField
          name="system"
          label={withController ? 'System' : 'Domain'}
          control={control}
          mono
          required={!withController}
          placeholder={withController ? '/redfish/v1/Systems/1' : 'host-1'}
          description={
            withController
              ? 'Empty if the controller has one system only'
              : 'The name of the host at the hypervisor'
          }
          validate={(_, values) => problemOf('system', values as Values)}
        />
      )}
      {method === 'redfish' && (
        <CheckboxField
          name="verifyCertificate"
          control={control}
          description="Without it, somebody in the network may pretend to be the controller"
        >
          Verify the certificate
        </CheckboxField>
      )}
      <CheckboxField
        name="automatic"
        control={control}
        description="Once the host does not answer, unless its sled is in maintenance or most hosts are silent. Otherwise only by Fence host"
      >
        Fence automatically
      </CheckboxField>
    </SideModalForm>
  )
}
