import type { Args, FloatingIpUpdate } from '@steading/api/client'
import { ipFieldProblem } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { EthernetPort } from 'lucide-react'
import { useForm, useWatch } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { apiQuery } from '../../data/api.ts'
import { seedAnswer } from '../../data/seed-answer.ts'
import { readingOf } from '../../data/reads.ts'
import { namedFields, namedValues, useEditForm } from '../../forms/use-edit-form.tsx'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { EditPanel } from '../external-addresses/edit-panel.tsx'
import { PoolName } from '../pools/pool-cell.tsx'
import { poolOption } from '../pools/pool-option.tsx'
import {
  onlyDefault,
  poolSelectorOf,
  poolsToChoose,
  unicastPools,
  ipPoolsQuery,
} from '../pools/own-pools.ts'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { doneToast } from '../../ui/toasts.tsx'

type CreateValues = {
  name: string
  description: string
  /** Whether the address is the next free one of a pool, or explicit. */
  allocator: 'auto' | 'explicit'
  pool: string
  ip: string
}

export function FloatingIpCreateForm() {
  const navigate = useNavigate()
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const query = useQuery(ipPoolsQuery(project))
  const pools = unicastPools(poolsToChoose(query))
  const form = useForm<CreateValues>({
    defaultValues: {
      name: '',
      description: '',
      allocator: 'auto',
      pool: onlyDefault(pools),
      ip: '',
    },
  })
  const allocator = useWatch({ control: form.control, name: 'allocator' })
  const close = () => void navigate({ to: '/projects/$project/floating-ips', params: { project } })
  const argsOf = (values: CreateValues): Args<'floatingIpCreate'> => ({
    query: { project },
    body: {
      name: values.name,
      description: values.description,
      addressAllocator:
        values.allocator === 'explicit'
          ? { type: 'explicit', ip: values.ip }
          : { type: 'auto', poolSelector: poolSelectorOf(values.pool) },
    },
  })
  const create = useApiForm('floatingIpCreate', argsOf, {
    onSuccess: (floatingIp) => {
      const { name } = floatingIp
      seedAnswer('floatingIpView', { path: { floatingIp: name }, query: { project } }, floatingIp)
      doneToast('Floating IP', name, 'created')
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="floating IP"
      {...create}
      onDismiss={close}
    >
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <RadioField
        name="allocator"
        label="Address"
        control={form.control}
        items={[
          { value: 'auto', label: 'Next free address of a pool' },
          { value: 'explicit', label: 'This one' },
        ]}
      />
      {allocator === 'auto' ? (
        <ListboxField
          name="pool"
          label="Pool"
          placeholder="Select a pool"
          empty="No pools available"
          control={form.control}
          {...readingOf(query)}
          options={pools.map(poolOption)}
        />
      ) : (
        <TextField
          name="ip"
          label="IP address"
          description="A free address of a pool that is linked to the silo"
          control={form.control}
          required
          mono
          validate={ipFieldProblem}
        />
      )}
    </SideModalForm>
  )
}

export function FloatingIpEditForm() {
  const navigate = useNavigate()
  const { project, floatingIp: selector } = useParams({
    from: '/shell/projects-crumb/projects/$project/floating-ips/floating-ips/$floatingIp/edit',
  })
  const args = { path: { floatingIp: selector }, query: { project } }
  const close = () => void navigate({ to: '/projects/$project/floating-ips', params: { project } })
  const argsOf = (body: FloatingIpUpdate) => ({ ...args, body })
  const {
    opened: floatingIp,
    form,
    ...update
  } = useEditForm('floatingIpUpdate', {
    resource: 'floating IP',
    read: apiQuery('floatingIpView', args),
    valuesOf: namedValues,
    fields: namedFields,
    argsOf,
    onSuccess: (updated) => {
      seedAnswer(
        'floatingIpView',
        { path: { floatingIp: updated.name }, query: { project } },
        updated,
      )
      doneToast('Floating IP', updated.name, 'updated')
      close()
    },
  })
  return (
    <EditPanel
      form={form}
      kind="floating_ip"
      icon={EthernetPort}
      project={project}
      thing={floatingIp}
      {...update}
      onDismiss={close}
    >
      <PropertiesTable.CopyRow text={floatingIp.ip} label="IP address" />
      <PropertiesTable.Row label="IP pool">
        <PoolName id={floatingIp.ipPoolId} />
      </PropertiesTable.Row>
    </EditPanel>
  )
}
