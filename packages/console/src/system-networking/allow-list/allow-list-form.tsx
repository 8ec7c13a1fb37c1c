import type { Args, Result } from '@steading/api/client'
import {
  ALLOW_LIST_MAX,
  allowedNetworkProblem,
  allowListMessages,
  ipFieldProblem,
  parseNetwork,
} from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useController, useWatch } from 'react-hook-form'
import { apiQuery } from '../../data/api.ts'
import { useEditForm } from '../../forms/use-edit-form.tsx'
import { type EntryList, useListEntry, withEntry } from '../../forms/list-entry.ts'
import { SubForm } from '../../forms/sub-form.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { MiniTable } from '../../ui/form/mini-table.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Mono } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { ReasonField } from '../../forms/reason-field.tsx'

type Listed = { allow: 'any' | 'list'; ips: string[] }
type Values = Listed & { entry: { network: string } }

const argsOf = ({ allow, ips, entry }: Values): Args<'networkingAllowListUpdate'> => ({
  body: {
    allowedIps: allow === 'any' ? { allow } : { allow, ips: withEntry(networkList, ips, entry) },
  },
})

/** Adds the prefix to a single address entered without one. */
function networkOf(text: string): string {
  const trimmed = text.trim()
  if (trimmed.includes('/') || ipFieldProblem(trimmed)) return trimmed
  return `${trimmed}/${trimmed.includes(':') ? 128 : 32}`
}

const networkList: EntryList<string, { network: string }> = {
  blank: { network: '' },
  isBlank: ({ network }) => network.trim() === '',
  problems: {
    network(text) {
      const wanted = networkOf(text)
      return parseNetwork(wanted)
        ? allowedNetworkProblem(wanted)
        : 'Must be an address, or a network like 192.0.2.0/24'
    },
  },
  twice({ network }, ips) {
    const wanted = networkOf(network)
    return ips.includes(wanted) ? `${wanted} is on the list` : undefined
  },
  add: (ips, { network }) => [...ips, networkOf(network)],
  max: ALLOW_LIST_MAX,
  full: allowListMessages.tooMany,
}

const allowLabels = { any: 'Any source', list: 'Only listed networks' }

export function AllowListForm() {
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/system/networking/settings' })
  const { form, ...update } = useEditForm('networkingAllowListUpdate', {
    resource: 'allow list',
    read: apiQuery('networkingAllowListView', {}),
    valuesOf: ({ allowedIps }: Result<'networkingAllowListView'>): Listed => ({
      allow: allowedIps.allow,
      ips: allowedIps.allow === 'list' ? allowedIps.ips : [],
    }),
    fields: {
      allow: { label: 'Who is served', text: (allow) => allowLabels[allow] },
      ips: 'Allowed networks',
    },
    entries: { entry: networkList.blank },
    argsOf,
    onSuccess: () => {
      addToast('Allow list updated')
      close()
    },
  })
  const { control } = form
  const allow = useWatch({ control, name: 'allow' })
  const { fieldState } = useController({
    control,
    name: 'ips',
    rules: {
      validate: (ips, { allow: chosen, entry }) =>
        chosen === 'list' && ips.length === 0 && networkList.isBlank(entry)
          ? 'Add at least one network'
          : undefined,
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
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
          { value: 'any', label: allowLabels.any, description: 'Clients with any address' },
          {
            value: 'list',
            label: allowLabels.list,
            description:
              'All others are refused, and their open connections end. The list must include your current address.',
          },
        ]}
      />
      {allow === 'list' && <Networks error={fieldState.error?.message} />}
      <ReasonField operation="networkingAllowListUpdate" />
    </SideModalForm>
  )
}

function Networks({ error }: { error: string | undefined }) {
  const { items, remove, field, subForm } = useListEntry(networkList, 'ips', 'entry')
  return (
    <div className="flex flex-col gap-4">
      <SubForm addLabel="Add network" {...subForm}>
        <TextField
          {...field('network')}
          label="Address or network"
          required
          mono
          placeholder="192.0.2.0/24"
        />
      </SubForm>
      <MiniTable
        label="Allowed networks"
        columns={[{ id: 'network', header: 'Network', cell: (one) => <Mono>{one}</Mono> }]}
        items={items}
        rowKey={(one) => one}
        onRemove={remove}
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
