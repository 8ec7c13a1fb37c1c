import type { Args } from '@steading/api/client'
import {
  ALLOW_LIST_MAX,
  allowedNetworkProblem,
  allowListMessages,
  ipFieldProblem,
  parseNetwork,
} from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useController, useForm, useWatch } from 'react-hook-form'
import { useApiForm } from '../as-code/as-code.tsx'
import { invalidate, usePrefetchedQuery } from '../data/api.ts'
import { SubForm } from '../forms/sub-form.tsx'
import { RadioField } from '../ui/form/choice-fields.tsx'
import { MiniTable } from '../ui/form/mini-table.tsx'
import { SideModalForm } from '../ui/form/side-modal-form.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { Mono } from '../ui/text.tsx'
import { addToast } from '../ui/toasts.tsx'
import { allowListQuery } from './queries.ts'

type Values = { allow: 'any' | 'list'; ips: string[] }

const argsOf = ({ allow, ips }: Values): Args<'networkingAllowListUpdate'> => ({
  body: { allowedIps: allow === 'any' ? { allow } : { allow, ips } },
})

/** A single address may be entered without its prefix. */
function networkOf(text: string): string {
  const trimmed = text.trim()
  if (trimmed.includes('/') || ipFieldProblem(trimmed)) return trimmed
  return `${trimmed}/${trimmed.includes(':') ? 128 : 32}`
}

export function AllowListForm() {
  const navigate = useNavigate()
  const { allowedIps } = usePrefetchedQuery(allowListQuery).data
  const form = useForm<Values>({
    defaultValues: {
      allow: allowedIps.allow,
      ips: allowedIps.allow === 'list' ? allowedIps.ips : [],
    },
  })
  const { control } = form
  const allow = useWatch({ control, name: 'allow' })
  const close = () => void navigate({ to: '/system/networking/settings' })
  const update = useApiForm('networkingAllowListUpdate', argsOf, {
    onSuccess: () => {
      void invalidate('networkingAllowListView')
      addToast('Allow list updated')
      close()
    },
  })
  const { field, fieldState } = useController({
    control,
    name: 'ips',
    rules: {
      validate: (ips, values) =>
        values.allow === 'list' && ips.length === 0 ? 'Add at least one network' : undefined,
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      resource="allow list"
      title="Edit allow list"
      submitLabel="Update allow list"
      {...update}
      onDismiss={close}
    >
      <RadioField
        name="allow"
        label="Who is served"
        control={control}
        column
        items={[
          { value: 'any', label: 'Any source', description: 'Clients with any address' },
          {
            value: 'list',
            label: 'Only listed networks',
            description:
              'All others are refused, and what they have open ends. You cannot leave out the address that you use now.',
          },
        ]}
      />
      {allow === 'list' && (
        <Networks value={field.value} onChange={field.onChange} error={fieldState.error?.message} />
      )}
    </SideModalForm>
  )
}

type NetworksProps = {
  value: string[]
  onChange: (ips: string[]) => void
  error: string | undefined
}

function Networks({ value: ips, onChange, error }: NetworksProps) {
  const { control, handleSubmit, reset } = useForm({ defaultValues: { network: '' } })
  const network = useWatch({ control, name: 'network' })
  const add = handleSubmit((one) => {
    onChange([...ips, networkOf(one.network)])
    reset()
  })
  const problem = (text: string): string | undefined => {
    const wanted = networkOf(text)
    if (ips.includes(wanted)) return `${wanted} is on the list`
    return parseNetwork(wanted)
      ? allowedNetworkProblem(wanted)
      : 'Must be an address, or a network like 192.0.2.0/24'
  }
  return (
    <div className="flex flex-col gap-4">
      <SubForm
        addLabel="Add network"
        addable={network !== ''}
        clearable={network !== ''}
        onAdd={() => void add()}
        onClear={() => reset()}
        full={ips.length >= ALLOW_LIST_MAX ? allowListMessages.tooMany : undefined}
      >
        <TextField
          name="network"
          label="Address or network"
          control={control}
          required
          mono
          placeholder="192.0.2.0/24"
          validate={problem}
        />
      </SubForm>
      <MiniTable
        label="Allowed networks"
        columns={[{ id: 'network', header: 'Network', cell: (one) => <Mono>{one}</Mono> }]}
        items={ips}
        rowKey={(one) => one}
        onRemove={(one) => onChange(ips.filter((each) => each !== one))}
        removeLabel={(one) => `Remove ${one}`}
      />
      {error && (
        <p role="alert" className="text-red-text">
          {error}
        </p>
      )}
    </div>
  )
}
