import type { Args, IpVersion, MulticastGroupMember } from '@steading/api/client'
import {
  ipVersion as versionOf,
  ipVersionName,
  multicastGroupFieldProblem,
  multicastSourcesFieldProblem,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { useApiForm } from '../../../workspace/as-code/as-code.tsx'
import { whenReread } from '../../../data/api.ts'
import { choicesOf } from '../../../data/reads.ts'
import type { InstanceParams } from '../queries.ts'
import { multicastGroupsQuery } from '../../../networking/multicast-groups/queries.ts'
import { ComboboxField } from '../../../ui/form/combobox-field.tsx'
import { ListboxField } from '../../../ui/form/listbox-field.tsx'
import { ModalForm } from '../../../ui/form/modal-form.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { Mono, Strong, Truncate } from '../../../ui/text.tsx'
import { addToast } from '../../../ui/toasts.tsx'

/** Joins a group; with `member`, edits the sources of that membership. */
export type JoinDialog = { member?: MulticastGroupMember }
type Props = JoinDialog & { params: InstanceParams; onDismiss: () => void }

const AUTOMATIC = 'auto'
type Values = { group: string; sources: string; version: typeof AUTOMATIC | IpVersion }

const versions = [
  { value: AUTOMATIC, label: 'Automatic' },
  ...(['v4', 'v6'] as const).map((value) => ({ value, label: ipVersionName[value] })),
]

const listOf = (sources: string): string[] => sources.split(/[\s,]+/).filter(Boolean)

export default function JoinMulticastGroupModal({ params, member, onDismiss }: Props) {
  const form = useForm<Values>({
    defaultValues: {
      group: member?.multicastIp ?? '',
      sources: member?.sourceIps.join(', ') ?? '',
      version: AUTOMATIC,
    },
  })
  const groups = useQuery(multicastGroupsQuery)
  const name = useWatch({ control: form.control, name: 'group' })
  const known = groups.data?.items.find((one) => one.name === name || one.multicastIp === name)
  const ip = known?.multicastIp ?? (versionOf(name) ? name : undefined)
  const argsOf = ({ group, sources, version }: Values): Args<'instanceMulticastGroupJoin'> => ({
    path: { instance: params.instance, multicastGroup: group },
    query: { project: params.project },
    body: {
      sourceIps: listOf(sources),
      // Only a new group has a choice of version.
      ...(version === AUTOMATIC || ip ? {} : { ipVersion: version }),
    },
  })
  const join = useApiForm('instanceMulticastGroupJoin', argsOf, {
    onSuccess: async ({ multicastIp }, { path }) => {
      await whenReread()
      addToast({
        content: (
          <>
            Instance <b>{params.instance}</b> {member ? 'has new sources in' : 'joined'} multicast
            group <b>{member ? multicastIp : path.multicastGroup}</b>
          </>
        ),
      })
      onDismiss()
    },
  })
  return (
    <ModalForm
      form={form}
      title={member ? 'Edit sources' : 'Join multicast group'}
      submitLabel={member ? 'Save' : 'Join'}
      {...join}
      onDismiss={onDismiss}
    >
      {member ? (
        <p className="text-secondary">
          Packets that <Strong>{params.instance}</Strong> receives from multicast group{' '}
          <Mono>{member.multicastIp}</Mono>
        </p>
      ) : (
        <ComboboxField
          name="group"
          label="Group"
          description="A name or multicast address without a group creates a new group"
          control={form.control}
          allowCustom
          validate={multicastGroupFieldProblem}
          {...choicesOf(groups, (one) => ({
            value: one.name,
            label: one.name,
            found: `${one.name} ${one.multicastIp}`,
            content: (
              <span className="flex min-w-0 items-center gap-2">
                <Truncate text={one.name} className="flex-1" />
                <Mono className="text-secondary">{one.multicastIp}</Mono>
              </span>
            ),
          }))}
        />
      )}
      <TextField
        name="sources"
        label="Sources"
        description="Comma-separated IP addresses. Without any, packets from all sources are accepted."
        control={form.control}
        mono
        validate={(text) => multicastSourcesFieldProblem(listOf(text), ip)}
      />
      {!member && (
        <ListboxField
          name="version"
          label="IP version"
          description={ip ? 'Follows from the group' : 'IP version of the new group’s address'}
          control={form.control}
          disabled={ip !== undefined}
          options={versions}
        />
      )}
    </ModalForm>
  )
}
