import type { Args, ExternalSubnetUpdate } from '@steading/api/client'
import { addressBits, cidrFieldProblem } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Globe } from 'lucide-react'
import { useEffect } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { apiQuery } from '../../data/api.ts'
import { seedAnswer } from '../../data/seed-answer.ts'
import { readingOf } from '../../data/reads.ts'
import { namedFields, namedValues, useEditForm } from '../../forms/use-edit-form.tsx'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { EditPanel } from '../external-addresses/edit-panel.tsx'
import { poolOption } from '../pools/pool-option.tsx'
import { poolSelectorOf, poolsToChoose, subnetPoolsQuery } from '../pools/own-pools.ts'
import { SubnetPoolName } from './columns.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { doneToast } from '../../ui/toasts.tsx'

type CreateValues = {
  name: string
  description: string
  method: 'auto' | 'explicit'
  pool: string
  prefixLength: number
  subnet: string
}

const methods = [
  { value: 'auto', label: 'Auto' },
  { value: 'explicit', label: 'Explicit' },
]

const allocatorOf = ({ method, pool, prefixLength, subnet }: CreateValues) =>
  method === 'explicit'
    ? ({ type: method, subnet } as const)
    : ({ type: method, prefixLength, poolSelector: poolSelectorOf(pool) } as const)

export function ExternalSubnetCreateForm() {
  const navigate = useNavigate()
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const query = useQuery(subnetPoolsQuery(project))
  const pools = poolsToChoose(query)
  const form = useForm<CreateValues>({
    defaultValues: {
      name: '',
      description: '',
      method: 'auto',
      pool: pools.find(({ isDefault }) => isDefault)?.name ?? '',
      prefixLength: 24,
      subnet: '',
    },
  })
  const { control } = form
  const [method, chosen, prefixLength] = useWatch({
    control,
    name: ['method', 'pool', 'prefixLength'],
  })
  const longest = addressBits[pools.find(({ name }) => name === chosen)?.ipVersion ?? 'v6']
  useEffect(() => {
    if (prefixLength > longest) form.setValue('prefixLength', longest)
  }, [form, longest, prefixLength])
  const close = () =>
    void navigate({ to: '/projects/$project/external-subnets', params: { project } })
  const argsOf = (values: CreateValues): Args<'externalSubnetCreate'> => ({
    query: { project },
    body: {
      name: values.name,
      description: values.description,
      allocator: allocatorOf(values),
    },
  })
  const create = useApiForm('externalSubnetCreate', argsOf, {
    onSuccess: (made) => {
      seedAnswer(
        'externalSubnetView',
        { path: { externalSubnet: made.name }, query: { project } },
        made,
      )
      doneToast('External subnet', made.name, 'created')
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="external subnet"
      {...create}
      onDismiss={close}
    >
      <NameField control={control} />
      <DescriptionField control={control} />
      <RadioField control={control} name="method" label="Allocation method" items={methods} />
      {method === 'auto' ? (
        <>
          <ListboxField
            name="pool"
            label="Subnet pool"
            placeholder="Select a pool"
            control={control}
            {...readingOf(query)}
            options={pools.map(poolOption)}
            empty="No pools linked to silo"
          />
          <NumberField
            name="prefixLength"
            label="Prefix length"
            description="The lowest free subnet of this length is taken. Max is 32 for IPv4 pools, 128 for IPv6."
            control={control}
            min={1}
            max={longest}
          />
        </>
      ) : (
        <TextField
          name="subnet"
          label="Subnet CIDR"
          description="A subnet of one of the pools of the silo, like 203.0.113.0/28"
          control={control}
          mono
          required
          validate={cidrFieldProblem}
        />
      )}
    </SideModalForm>
  )
}

export function ExternalSubnetEditForm() {
  const navigate = useNavigate()
  const { project, externalSubnet: selector } = useParams({
    from: '/shell/projects-crumb/projects/$project/external-subnets/external-subnets/$externalSubnet/edit',
  })
  const args = { path: { externalSubnet: selector }, query: { project } }
  const close = () =>
    void navigate({ to: '/projects/$project/external-subnets', params: { project } })
  const argsOf = (body: ExternalSubnetUpdate) => ({ ...args, body })
  const {
    opened: externalSubnet,
    form,
    ...update
  } = useEditForm('externalSubnetUpdate', {
    resource: 'external subnet',
    read: apiQuery('externalSubnetView', args),
    valuesOf: namedValues,
    fields: namedFields,
    argsOf,
    onSuccess: (updated) => {
      const path = { externalSubnet: updated.name }
      seedAnswer('externalSubnetView', { path, query: { project } }, updated)
      doneToast('External subnet', updated.name, 'updated')
      close()
    },
  })
  return (
    <EditPanel
      form={form}
      kind="external_subnet"
      icon={Globe}
      project={project}
      thing={externalSubnet}
      {...update}
      onDismiss={close}
    >
      <PropertiesTable.CopyRow text={externalSubnet.subnet} label="Subnet" />
      <PropertiesTable.Row label="Subnet pool">
        <SubnetPoolName id={externalSubnet.subnetPoolId} />
      </PropertiesTable.Row>
    </EditPanel>
  )
}
