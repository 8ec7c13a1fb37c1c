import type { Args } from '@steading/api/client'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { namedFields, useEditForm } from '../../forms/use-edit-form.tsx'
import { withEntry } from '../../forms/list-entry.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { type Announced, announcedList, NetworksField } from './networks-field.tsx'
import { announceSetQuery, type AnnounceSetView } from './queries.ts'

type Edited = { name: string; description: string; announced: Announced[] }
type Values = Edited & { announcedEntry: Announced }

const initial: Values = {
  name: '',
  description: '',
  announced: [],
  announcedEntry: announcedList.blank,
}

const argsOf = ({
  announced,
  announcedEntry,
  ...body
}: Values): Args<'networkingBgpAnnounceSetUpdate'> => ({
  body: {
    ...body,
    announcement: withEntry(announcedList, announced, announcedEntry).map(({ lot, network }) => ({
      addressLotBlock: lot,
      network,
    })),
  },
})

export function AnnounceSetCreateForm() {
  const navigate = useNavigate()
  const form = useForm({ defaultValues: initial })
  const close = () => void navigate({ to: '/system/networking/announce-sets' })
  const create = useApiForm('networkingBgpAnnounceSetUpdate', argsOf, {
    onSuccess: ({ name }) => {
      doneToast('Announce set', name, 'created')
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="announce set"
      {...create}
      onDismiss={close}
    >
      <NameField control={form.control} description="Replaces an existing set with this name" />
      <DescriptionField control={form.control} />
      <NetworksField />
    </SideModalForm>
  )
}

export function AnnounceSetEditForm() {
  const navigate = useNavigate()
  const { announceSet } = useParams({
    from: '/shell/system/external-connectivity/bgp-announce-sets/system/networking/announce-sets/$announceSet/edit',
  })
  const close = () => void navigate({ to: '/system/networking/announce-sets' })
  const {
    opened: set,
    form,
    ...update
  } = useEditForm('networkingBgpAnnounceSetUpdate', {
    resource: 'announce set',
    read: { ...announceSetQuery(announceSet), named: announceSetQuery },
    valuesOf: ({ name, description, announcements }: AnnounceSetView): Edited => ({
      name,
      description,
      announced: announcements.map(({ addressLotName: lot, network }) => ({ lot, network })),
    }),
    fields: {
      ...namedFields,
      announced: {
        label: 'Networks',
        text: (announced) => announced.map(({ lot, network }) => `${network} (${lot})`).join(', '),
      },
    },
    entries: { announcedEntry: announcedList.blank },
    argsOf,
    onSuccess: ({ name }) => {
      doneToast('Announce set', name, 'updated')
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      star={<ResourceButtons kind="bgp_announce_set" thing={set} />}
      {...update}
      onDismiss={close}
    >
      <PropertiesTable>
        <PropertiesTable.Row label="Name">{set.name}</PropertiesTable.Row>
        <PropertiesTable.IdRow id={set.id} />
        <PropertiesTable.Row label="Announced by">
          {set.bgpConfigs?.map(({ name, asn }) => `${name} (AS ${asn})`).join(', ') || null}
        </PropertiesTable.Row>
        <PropertiesTable.DateRow label="Created" date={set.timeCreated} />
        <PropertiesTable.DateRow label="Updated" date={set.timeModified} />
      </PropertiesTable>
      <DescriptionField control={form.control} />
      <NetworksField />
    </SideModalForm>
  )
}
