import type { Disk, Instance } from '@steading/api/client'
import {
  cloneName,
  hostnameProblem,
  hostnameRemark,
  INSTANCE_MAX_SSH_KEYS,
  USER_DATA_MAX,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Copy } from 'lucide-react'
import { useEffect, useId, useMemo, useState } from 'react'
import { type Control, useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { uint8ArrayToBase64 } from 'uint8array-extras'
import { pathTo } from '../../data/addresses.ts'
import { ALL_ITEMS, apiQuery, useApiMutation } from '../../data/api.ts'
import { seedAnswer } from '../../data/seed-answer.ts'
import { readingOf } from '../../data/reads.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { DraftNotice, useDraft } from '../../forms/use-draft.tsx'
import { PageFormBar } from '../../forms/page-form-bar.tsx'
import { PageFormGuard } from '../../page/page-form-guard.tsx'
import { projectDisksQuery, projectSnapshotsQuery } from '../../storage/disks/queries.ts'
import { useCodeView } from '../../ui/code-view.tsx'
import { CheckboxField, CheckboxGroupField, RadioField } from '../../ui/form/choice-fields.tsx'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { FormCode, useLiveErrors } from '../../ui/form/form-state.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { formatNumber } from '../../ui/number.ts'
import { DocsPopover, PageHeader } from '../../ui/page-header.tsx'
import { Size } from '../../ui/text.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { asCode } from '../../workspace/as-code/as-code.tsx'
import { base64Of, call } from '../../workspace/as-code/steps.ts'
import { groupsQuery, instanceGroupsQuery } from '../affinity/queries.ts'
import type { GroupKind } from '../affinity/group-kinds.ts'
import { Section } from '../instances/create/section.tsx'
import { useUserDataRemark, withoutMark } from '../instances/create/user-data-check.ts'
import { RemarkText } from '../instances/create/user-data-remark.tsx'
import {
  type InstanceParams,
  instanceDisksQuery,
  instanceExternalIpsQuery,
  instanceNicsQuery,
  projectInstancesQuery,
  useInstance,
  useInstanceParams,
} from '../instances/queries.ts'
import { bodyOf, diskNames, newValues, NOW, type Preset, type Values } from './form-values.ts'

const ownKeysQuery = apiQuery('currentUserSshKeyList', { query: { limit: ALL_ITEMS } })
const targetProjectsQuery = apiQuery('projectList', { query: { limit: ALL_ITEMS } })

const contents = {
  origin: 'Read-only: made of the same snapshot or image',
  empty: 'Local: empty, because its contents cannot be copied',
} as const

type PartProps = { form: UseFormReturn<Values>; params: InstanceParams; disabled: boolean }

/** A disk of the source: whether it comes along, its new name and its contents. */
function DiskFields({
  form: { control },
  params,
  disabled,
  disk,
  index,
}: PartProps & { disk: Disk; index: number }) {
  const { included, way } = useWatch({ control, name: `disks.${index}` })
  const snapshots = useQuery(projectSnapshotsQuery(params.project))
  const own = snapshots.data?.items.filter(
    ({ diskId, state }) => diskId === disk.id && state === 'ready',
  )
  return (
    <fieldset className="flex flex-col gap-3 rounded-card border p-4">
      <CheckboxField
        name={`disks.${index}.included`}
        control={control}
        disabled={disabled}
        description={
          <>
            <Size bytes={disk.size} />
            {way !== 'snapshot' && <>. {contents[way]}</>}
          </>
        }
      >
        {disk.name}
      </CheckboxField>
      {included && (
        <div className="grid gap-4 sm:grid-cols-2">
          <NameField
            name={`disks.${index}.name`}
            label={`Name of the copy of ${disk.name}`}
            control={control}
            disabled={disabled}
          />
          {way === 'snapshot' && (
            <ListboxField
              name={`disks.${index}.snapshot`}
              label={`Contents of the copy of ${disk.name}`}
              control={control}
              disabled={disabled}
              {...readingOf(snapshots)}
              options={[
                { value: NOW, label: 'As they are now' },
                ...(own ?? []).map(({ name }) => ({ value: name, label: `Snapshot ${name}` })),
              ]}
            />
          )}
        </div>
      )}
    </fieldset>
  )
}

function DisksSection(props: PartProps & { disks: readonly Disk[] | undefined }) {
  const { disks, ...part } = props
  return (
    <Section title="Disks">
      {disks?.length === 0 && <p className="text-secondary">The instance has no disks.</p>}
      {disks === undefined && (
        <p role="alert" className="text-red-text">
          The disks could not be read. Reload the page to choose which of them come along.
        </p>
      )}
      {disks?.map((disk, index) => (
        <DiskFields key={disk.id} {...part} disk={disk} index={index} />
      ))}
      {disks !== undefined && disks.length > 0 && (
        <p className="text-secondary">
          Snapshots of the disks are taken together, and deleted once the copies are made.
        </p>
      )}
    </Section>
  )
}

function NetworkSection({ form: { control }, params, disabled }: PartProps) {
  const nics = useQuery(instanceNicsQuery(params)).data?.items
  const ips = useQuery(instanceExternalIpsQuery(params)).data?.items
  const ephemeral = ips?.filter(({ kind }) => kind === 'ephemeral').length
  const hasFloating = ips?.some(({ kind }) => kind === 'floating')
  const elsewhere = useWatch({ control, name: 'project' }) !== params.project
  return (
    <Section title="Networking">
      <RadioField
        name="network"
        label="Network interfaces"
        column
        control={control}
        disabled={disabled}
        items={[
          {
            value: 'same',
            label: `Like ${params.instance}${nics ? ` (${formatNumber(nics.length)})` : ''}`,
            description: elsewhere
              ? 'In the VPC and subnets with the same names in that project, with new addresses'
              : 'In the same subnets, with new addresses',
          },
          { value: 'default', label: 'One in the default subnet' },
          { value: 'none', label: 'None' },
        ]}
      />
      <RadioField
        name="externalIps"
        label="External IPs"
        column
        control={control}
        disabled={disabled}
        items={[
          {
            value: 'same',
            label: `Ephemeral IPs of the same pools${ephemeral === undefined ? '' : ` (${formatNumber(ephemeral)})`}`,
            description: hasFloating ? `Floating IPs stay with ${params.instance}` : undefined,
          },
          { value: 'none', label: 'None' },
        ]}
      />
    </Section>
  )
}

function KeysField({ form: { control }, disabled }: PartProps) {
  const keys = useQuery(ownKeysQuery)
  if (!keys.data) return null
  const { items } = keys.data
  if (items.length === 0) {
    return <p className="text-secondary">You have no SSH keys, so none is installed.</p>
  }
  return (
    <CheckboxGroupField
      name="sshKeys"
      label="SSH keys"
      description="Your own keys. Other users' keys are not copied"
      control={control}
      disabled={disabled}
      selectAll="Select all"
      items={items.map(({ id, name, description }) => ({ value: id, label: name, description }))}
      validate={(chosen: string[]) =>
        chosen.length > INSTANCE_MAX_SSH_KEYS
          ? `An instance supports a maximum of ${INSTANCE_MAX_SSH_KEYS} SSH keys`
          : undefined
      }
    />
  )
}

function UserDataFields({ form: { control, setValue }, disabled }: PartProps) {
  const [from, file] = useWatch({ control, name: ['userData', 'userDataFile'] })
  const remark = useUserDataRemark(file)
  const removeMark = () => setValue('userDataFile', withoutMark(file!), { shouldDirty: true })
  return (
    <>
      <RadioField
        name="userData"
        label="User data"
        control={control}
        disabled={disabled}
        items={[
          { value: 'same', label: 'The same' },
          { value: 'none', label: 'None' },
          { value: 'file', label: 'From a file' },
        ]}
      />
      {from === 'file' && (
        <FileField
          name="userDataFile"
          label="File with user data"
          control={control}
          disabled={disabled}
          warning={remark ? <RemarkText {...remark} onRemoveMark={removeMark} /> : null}
          validate={(file: File | null) => {
            if (!file) return 'File with user data is required'
            return file.size > USER_DATA_MAX ? 'Must be 32 KiB or smaller' : undefined
          }}
        />
      )}
    </>
  )
}

const groupFields = {
  anti_affinity_group: { name: 'antiAffinityGroups', label: 'Anti-affinity groups' },
  affinity_group: { name: 'affinityGroups', label: 'Affinity groups' },
} as const

function GroupsField({ form, params, disabled, kind }: PartProps & { kind: GroupKind }) {
  const groups = useQuery(groupsQuery(kind, params.project)).data?.items ?? []
  const { name, label } = groupFields[kind]
  const project = useWatch({ control: form.control, name: 'project' })
  if (groups.length === 0 || project !== params.project) return null
  return (
    <CheckboxGroupField
      name={name}
      label={label}
      control={form.control}
      disabled={disabled}
      items={groups.map((group) => ({
        value: group.name,
        label: group.name,
        description: group.description,
      }))}
    />
  )
}

/** Presets fields from reads, unless the user has changed them. */
function usePreset<K extends Preset>(
  form: UseFormReturn<Values>,
  field: K,
  value: string[] | undefined,
) {
  const text = value?.join(' ')
  useEffect(() => {
    if (value && !form.getFieldState(field).isDirty) {
      form.resetField(field, { defaultValue: value as never })
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the same names are the same value
  }, [form, field, text])
}

/** Proposes another name if the instances, which load later, include the first one. */
function useName(
  form: UseFormReturn<Values>,
  { name }: Instance,
  instances: readonly { name: string }[] | undefined,
) {
  useEffect(() => {
    if (!instances || form.getFieldState('name').isDirty) return
    const taken = names(instances)
    form.resetField('name', { defaultValue: cloneName(name, (one) => taken.has(one)) })
  }, [form, name, instances])
}

/** The names of the disks follow that of the instance, until the user changes them. */
function useDiskNames(form: UseFormReturn<Values>, source: Instance, taken: ReadonlySet<string>) {
  const name = useWatch({ control: form.control, name: 'name' })
  useEffect(() => {
    const { disks } = form.getValues()
    const names = diskNames(
      disks.map(({ disk }) => disk),
      source.name,
      name || source.name,
      taken,
    )
    for (const [index, proposed] of names.entries()) {
      const field = `disks.${index}.name` as const
      if (!form.getFieldState(field).isDirty) {
        form.resetField(field, { defaultValue: proposed })
      }
    }
  }, [form, name, source.name, taken])
}

function useClone(params: InstanceParams, form: UseFormReturn<Values>) {
  const navigate = useNavigate()
  // The guard must be off before leaving the page, so navigation waits for a render.
  const [done, setDone] = useState(false)
  const clone = useApiMutation('instanceClone', {
    onSuccess: (instance: Instance, { body }) => {
      const project = body.project ?? params.project
      setDone(true)
      seedAnswer(
        'instanceView',
        { path: { instance: instance.name }, query: { project } },
        instance,
      )
      doneToast('Instance', instance.name, 'created')
      void navigate({
        to: '/projects/$project/instances/$instance/storage',
        params: { project, instance: instance.name },
        ignoreBlocker: true,
      })
    },
  })
  const argsOf = (values: Values, userData: string | undefined) => ({
    path: { instance: params.instance },
    query: { project: params.project },
    body: bodyOf(values, params.project, userData, (field) => form.getFieldState(field).isDirty),
  })
  const fileOf = ({ userData, userDataFile }: Values) => (userData === 'file' ? userDataFile : null)
  return {
    done,
    pending: clone.isPending || done,
    error: clone.error,
    async submit(values: Values) {
      const bytes = await fileOf(values)?.arrayBuffer()
      clone.mutate(argsOf(values, bytes && uint8ArrayToBase64(new Uint8Array(bytes))))
    },
    code(values: Values) {
      const file = fileOf(values)
      return asCode(call('instanceClone', argsOf(values, file ? base64Of(file.name) : undefined)))
    },
  }
}

const names = (items: readonly { name: string }[] | undefined) =>
  new Set(items?.map(({ name }) => name))

export function InstanceClonePage() {
  const params = useInstanceParams()
  return <CloneForm key={`${params.project}/${params.instance}`} params={params} />
}

function ProjectField({ control, disabled }: { control: Control<Values>; disabled: boolean }) {
  const projects = useQuery(targetProjectsQuery)
  return (
    <ComboboxField
      name="project"
      label="Project"
      control={control}
      disabled={disabled}
      {...readingOf(projects)}
      options={(projects.data?.items ?? []).map(({ name }) => ({ value: name, label: name }))}
    />
  )
}

function CloneForm({ params }: { params: InstanceParams }) {
  const { project } = params
  const source = useInstance(params)
  const ownDisks = useQuery(instanceDisksQuery(params)).data?.items
  // The choice must not change under the user when the disks are read again.
  const [disks] = useState(ownDisks)
  const instances = useQuery(projectInstancesQuery(project)).data?.items
  const others = useQuery(projectDisksQuery(project)).data?.items
  const taken = useMemo(() => names(others), [others])
  const [initial] = useState(() =>
    newValues(source, project, disks ?? [], { instances: names(instances), disks: taken }),
  )
  const form = useForm<Values>({ defaultValues: initial })
  const keys = useQuery(ownKeysQuery).data?.items
  const anti = useQuery(instanceGroupsQuery('anti_affinity_group', params)).data?.items
  const together = useQuery(instanceGroupsQuery('affinity_group', params)).data?.items
  usePreset(
    form,
    'sshKeys',
    keys?.map(({ id }) => id),
  )
  usePreset(
    form,
    'antiAffinityGroups',
    anti?.map(({ name }) => name),
  )
  usePreset(
    form,
    'affinityGroups',
    together?.map(({ name }) => name),
  )
  useName(form, source, instances)
  useDiskNames(form, source, taken)
  const { submit, code, done, pending, error } = useClone(params, form)
  const draft = useDraft(form, `clone of ${params.instance} in ${project}`, {
    without: ['userDataFile'],
    done,
  })
  const codeView = useCodeView(() => <FormCode form={form} code={code} />)
  useLiveErrors(form)
  const [target, hostname] = useWatch({ control: form.control, name: ['project', 'hostname'] })
  const id = useId()
  const part = { form, params, disabled: pending }
  return (
    <>
      <PageHeader title={`Clone ${source.name}`} icon={<Copy strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="instances"
          summary="A clone is a new instance of the same size, with copies of the disks as they are now or as in a snapshot, and with new addresses."
        />
      </PageHeader>
      <form
        id={id}
        autoComplete="off"
        noValidate
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
        className="max-w-[44rem] min-w-0 px-(--gutter) pb-6"
      >
        <DraftNotice {...draft} />
        <Section>
          <NameField control={form.control} disabled={pending} />
          <DescriptionField control={form.control} disabled={pending} />
          <TextField
            name="hostname"
            label="Hostname"
            description="Defaults to the name"
            warning={(!hostnameProblem(hostname) && hostnameRemark(hostname)) || null}
            control={form.control}
            disabled={pending}
            validate={(value: string) => (value ? hostnameProblem(value) : undefined)}
          />
          <ProjectField control={form.control} disabled={pending} />
          <CheckboxField name="start" control={form.control} disabled={pending}>
            Start Instance
          </CheckboxField>
        </Section>
        <DisksSection {...part} disks={disks} />
        <NetworkSection {...part} />
        <Section title="Access and placement">
          <KeysField {...part} />
          <UserDataFields {...part} />
          <GroupsField {...part} kind="anti_affinity_group" />
          <GroupsField {...part} kind="affinity_group" />
        </Section>
      </form>
      <PageFormBar
        form={id}
        submit="Clone instance"
        calls={{ operation: 'instanceClone', about: ['project'], project: target }}
        pending={pending}
        back={pathTo('/projects/$project/instances/$instance/storage', params)}
        code={codeView}
        error={error}
      />
      <PageFormGuard active={form.formState.isDirty && !done} onLeave={draft.discard} />
    </>
  )
}
