import type { Args } from '@steading/api/client'
import {
  ASN_MAX,
  BGP_PATHS_DEFAULT,
  BGP_PATHS_MAX,
  BGP_PATHS_MIN,
  nameFieldProblem,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type Control, useForm } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { choicesOf } from '../../data/reads.ts'
import { namedFields, useEditForm } from '../../forms/use-edit-form.tsx'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { allAnnounceSetsQuery, configQuery, type ConfigView } from './queries.ts'

type Edited = { name: string; description: string; announceSet: string; maxPaths: number }
type Values = Edited & { asn: number; vrf: string }

const initial: Values = {
  name: '',
  description: '',
  asn: Number.NaN,
  announceSet: '',
  maxPaths: BGP_PATHS_DEFAULT,
  vrf: '',
}

type AnnouncedFieldsProps = {
  control: Control<Edited>
  /** Whether the current set is unknown: it then stays unless another one is chosen. */
  unknown?: boolean
}

/** The fields of both forms, in order. */
function AnnouncedFields({ control, unknown = false }: AnnouncedFieldsProps) {
  const navigate = useNavigate()
  const sets = useQuery({ ...allAnnounceSetsQuery, select: (items) => ({ items }) })
  return (
    <>
      <ListboxField
        name="announceSet"
        label="Announce set"
        description="Networks announced to peers as reachable through the rack"
        control={control}
        required={!unknown}
        placeholder={unknown ? 'Unchanged' : undefined}
        empty="No announce sets"
        whenEmpty={{
          label: 'New announce set',
          onAction: () => void navigate({ to: '/system/networking/announce-sets-new' }),
        }}
        {...choicesOf(sets, ({ name }) => ({ value: name, label: name }))}
      />
      <NumberField
        name="maxPaths"
        label="Max paths"
        description="How many equal-cost paths to a network are used at once"
        control={control}
        min={BGP_PATHS_MIN}
        max={BGP_PATHS_MAX}
      />
    </>
  )
}

export function ConfigCreateForm() {
  const navigate = useNavigate()
  const form = useForm({ defaultValues: initial })
  const { control } = form
  const close = () => void navigate({ to: '/system/networking/bgp' })
  const argsOf = (values: Values): Args<'networkingBgpConfigCreate'> => ({
    body: {
      name: values.name,
      description: values.description,
      asn: values.asn,
      bgpAnnounceSetId: values.announceSet,
      maxPaths: values.maxPaths,
      ...(values.vrf ? { vrf: values.vrf } : {}),
    },
  })
  const create = useApiForm('networkingBgpConfigCreate', argsOf, {
    onSuccess: ({ name }) => {
      doneToast('BGP configuration', name, 'created')
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="BGP configuration"
      {...create}
      onDismiss={close}
    >
      <NameField control={control} />
      <DescriptionField control={control} />
      <NumberField
        name="asn"
        label="ASN"
        description="The autonomous system of the switches; it cannot be changed later"
        control={control}
        min={1}
        max={ASN_MAX}
      />
      <AnnouncedFields control={control as never} />
      <TextField
        name="vrf"
        label="VRF"
        description="The routing table of the peers, if there are several"
        control={control}
        validate={(vrf) => (vrf === '' ? undefined : nameFieldProblem(vrf, 'VRF'))}
      />
    </SideModalForm>
  )
}

export function ConfigEditForm() {
  const navigate = useNavigate()
  const { bgpConfig } = useParams({
    from: '/shell/system/external-connectivity/bgp-configs/system/networking/bgp/$bgpConfig/edit',
  })
  const close = () => void navigate({ to: '/system/networking/bgp' })
  const argsOf = (values: Edited): Args<'networkingBgpConfigUpdate'> => ({
    query: { nameOrId: bgpConfig },
    body: {
      name: values.name,
      description: values.description,
      bgpAnnounceSetId: values.announceSet || undefined,
      maxPaths: values.maxPaths,
    },
  })
  const {
    opened: config,
    form,
    ...update
  } = useEditForm('networkingBgpConfigUpdate', {
    resource: 'BGP configuration',
    read: { ...configQuery(bgpConfig), named: configQuery },
    valuesOf: ({ name, description, bgpAnnounceSetName, maxPaths }: ConfigView): Edited => ({
      name,
      description,
      announceSet: bgpAnnounceSetName ?? '',
      maxPaths,
    }),
    fields: { ...namedFields, announceSet: 'Announce set', maxPaths: 'Max paths' },
    argsOf,
    onSuccess: ({ name }) => {
      doneToast('BGP configuration', name, 'updated')
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      star={<ResourceButtons kind="bgp_config" thing={config} />}
      {...update}
      onDismiss={close}
    >
      <PropertiesTable>
        <PropertiesTable.IdRow id={config.id} />
        <PropertiesTable.Row label="ASN">{config.asn}</PropertiesTable.Row>
        <PropertiesTable.Row label="VRF">{config.vrf ?? null}</PropertiesTable.Row>
        <PropertiesTable.Row label="Peers">{config.peerCount ?? null}</PropertiesTable.Row>
        <PropertiesTable.DateRow label="Created" date={config.timeCreated} />
        <PropertiesTable.DateRow label="Updated" date={config.timeModified} />
      </PropertiesTable>
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <AnnouncedFields control={form.control} unknown={config.bgpAnnounceSetName === undefined} />
    </SideModalForm>
  )
}
