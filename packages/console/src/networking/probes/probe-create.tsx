import type { Args, Sled } from '@steading/api/client'
import { isUuid } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type Control, useForm } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { readingOf } from '../../data/reads.ts'
import { useFleetViewer } from '../../data/session.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { poolOption } from '../pools/pool-option.tsx'
import {
  onlyDefault,
  poolSelectorOf,
  poolsToChoose,
  unicastPools,
  ipPoolsQuery,
} from '../pools/own-pools.ts'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { sledsQuery } from './queries.ts'
import { Truncate } from '../../ui/text.tsx'

type Values = { name: string; description: string; sled: string; pool: string }

const sledOption = ({ id, baseboard }: Sled) => ({
  value: id,
  label: baseboard.serial,
  content: (
    <span className="flex min-w-0 flex-col">
      <Truncate text={baseboard.serial} />
      <Truncate text={id} className="font-mono text-xs text-secondary" />
    </span>
  ),
})

/**
 * Field for a sled. Operators choose from a list; other users cannot list sleds, so they enter an
 * ID.
 */
function SledField({ control }: { control: Control<Values> }) {
  const isOperator = useFleetViewer()
  const sleds = useQuery({ ...sledsQuery, enabled: isOperator })
  if (!isOperator) {
    return (
      <TextField
        name="sled"
        label="Sled ID"
        description="Ask an operator of the rack for the ID of a sled."
        control={control}
        required
        mono
        validate={(id) => (isUuid(id) ? undefined : 'Must be the ID of a sled')}
      />
    )
  }
  const usable = sleds.data?.items.filter(({ policy }) => policy.kind !== 'expunged') ?? []
  return (
    <ListboxField
      name="sled"
      label="Sled"
      placeholder="Select a sled"
      empty="No sleds in service"
      control={control}
      {...readingOf(sleds)}
      options={usable.map((sled) => sledOption(sled))}
    />
  )
}

export function ProbeCreateForm() {
  const navigate = useNavigate()
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const query = useQuery(ipPoolsQuery(project))
  const pools = unicastPools(poolsToChoose(query))
  const form = useForm<Values>({
    defaultValues: { name: '', description: '', sled: '', pool: onlyDefault(pools) },
  })
  const close = () => void navigate({ to: '/projects/$project/probes', params: { project } })
  const argsOf = ({ name, description, sled, pool }: Values): Args<'probeCreate'> => ({
    query: { project },
    body: { name, description, sled, poolSelector: poolSelectorOf(pool) },
  })
  const create = useApiForm('probeCreate', argsOf, {
    onSuccess: ({ name }) => {
      doneToast('Probe', name, 'created')
      close()
    },
  })
  return (
    <SideModalForm form={form} formType="create" resource="probe" {...create} onDismiss={close}>
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <SledField control={form.control} />
      <ListboxField
        name="pool"
        label="Pool"
        description="The probe’s external address comes from this pool, its private addresses from the subnet “default” of the VPC “default”."
        placeholder="Select a pool"
        empty="No pools linked to silo"
        control={form.control}
        {...readingOf(query)}
        options={pools.map((pool) => poolOption(pool))}
      />
    </SideModalForm>
  )
}
