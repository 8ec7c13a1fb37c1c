import type { Args, Result } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Split } from 'lucide-react'
import type { Control } from 'react-hook-form'
import { useForm, useWatch } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { seedAnswer } from '../../data/seed-answer.ts'
import { readingOf } from '../../data/reads.ts'
import { namedFields, useEditForm } from '../../forms/use-edit-form.tsx'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { PlannedChanges } from '../reachability/planned-changes.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { useVpcParams, type VpcParams } from '../vpcs/queries.ts'
import { doneToast } from '../../ui/toasts.tsx'
import { subnetArgs, subnetQuery } from './queries.ts'
import { vpcRoutersQuery } from './routers.tsx'
import { Truncate } from '../../ui/text.tsx'

/** The option for no router; not an ID. */
const NONE = 'none'

const routerOf = (chosen: string) => (chosen === NONE ? {} : { customRouter: chosen })

function RouterField({
  params,
  control,
}: {
  params: VpcParams
  control: Control<{ name: string; description: string; customRouter: string }>
}) {
  const routers = useQuery(vpcRoutersQuery(params))
  const custom = routers.data?.items.filter(({ kind }) => kind === 'custom') ?? []
  return (
    <ListboxField
      name="customRouter"
      label="Custom router"
      control={control}
      {...readingOf(routers)}
      options={[
        { value: NONE, label: 'None' },
        ...custom.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}

const initial = {
  name: '',
  description: '',
  ipv4Block: '',
  ipv6Block: '',
  customRouter: NONE,
}

function useLeave(params: VpcParams) {
  const navigate = useNavigate()
  return () => void navigate({ to: '/projects/$project/vpcs/$vpc/subnets', params })
}

export function SubnetCreateForm() {
  const params = useVpcParams()
  const close = useLeave(params)
  const form = useForm({ defaultValues: initial })
  const argsOf = (values: typeof initial): Args<'vpcSubnetCreate'> => ({
    query: params,
    body: {
      name: values.name,
      description: values.description,
      ipv4Block: values.ipv4Block.trim(),
      ...(values.ipv6Block.trim() ? { ipv6Block: values.ipv6Block.trim() } : {}),
      ...routerOf(values.customRouter),
    },
  })
  const create = useApiForm('vpcSubnetCreate', argsOf, {
    onSuccess: (subnet) => {
      seedAnswer('vpcSubnetView', subnetArgs({ ...params, subnet: subnet.name }), subnet)
      doneToast('Subnet', subnet.name, 'created')
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="VPC subnet"
      {...create}
      onDismiss={close}
    >
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <hr className="border-line" />
      <TextField
        name="ipv4Block"
        label="IPv4 block"
        required
        mono
        placeholder="10.0.0.0/24"
        // Validated by the control plane, which knows the blocks of the other subnets.
        validate={() => undefined}
        control={form.control}
      />
      <TextField
        name="ipv6Block"
        label="IPv6 block"
        mono
        description="A /64 within the prefix of the VPC. Left blank, one is generated."
        control={form.control}
      />
      <hr className="border-line" />
      <RouterField params={params} control={form.control as never} />
    </SideModalForm>
  )
}

export function SubnetEditForm() {
  const { subnet: selector, ...params } = useParams({
    from: '/shell/projects-crumb/projects/$project/vpcs-crumb/vpcs/$vpc/tabs/subnets/subnets/$subnet/edit',
  })
  const named = { ...params, subnet: selector }
  const close = useLeave(params)
  const argsOf = (values: {
    name: string
    description: string
    customRouter: string
  }): Args<'vpcSubnetUpdate'> => ({
    ...subnetArgs(named),
    // Omitting the router would detach it.
    body: {
      name: values.name,
      description: values.description,
      ...routerOf(values.customRouter),
    },
  })
  const routers = useQuery(vpcRoutersQuery(params)).data
  const {
    opened: subnet,
    form,
    ...update
  } = useEditForm('vpcSubnetUpdate', {
    resource: 'VPC subnet',
    read: subnetQuery(named),
    valuesOf: ({ name, description, customRouterId }: Result<'vpcSubnetView'>) => ({
      name,
      description,
      customRouter: customRouterId ?? NONE,
    }),
    fields: {
      ...namedFields,
      customRouter: {
        label: 'Custom router',
        text: (id) =>
          id === NONE ? 'None' : (routers?.items.find((one) => one.id === id)?.name ?? id),
      },
    },
    argsOf,
    onSuccess: (updated) => {
      seedAnswer('vpcSubnetView', subnetArgs({ ...params, subnet: updated.name }), updated)
      doneToast('Subnet', updated.name, 'updated')
      close()
    },
  })
  const router = useWatch({ control: form.control, name: 'customRouter' })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      star={<ResourceButtons kind="vpc_subnet" thing={subnet} />}
      subtitle={
        <>
          <Split size={16} strokeWidth={1.5} aria-hidden />
          <Truncate text={subnet.name} />
        </>
      }
      {...update}
      onDismiss={close}
    >
      <PropertiesTable>
        <PropertiesTable.IdRow id={subnet.id} />
        <PropertiesTable.DateRow date={subnet.timeCreated} label="Created" />
        <PropertiesTable.DateRow date={subnet.timeModified} label="Updated" />
        <PropertiesTable.CopyRow text={subnet.ipv4Block} label="IPv4 block" />
        <PropertiesTable.CopyRow text={subnet.ipv6Block} label="IPv6 block" />
      </PropertiesTable>
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <hr className="border-line" />
      <RouterField params={params} control={form.control} />
      <PlannedChanges
        change={{
          body: {
            type: 'subnet_router',
            subnet: subnet.id,
            customRouter: router === NONE ? null : router,
          },
        }}
      />
    </SideModalForm>
  )
}
