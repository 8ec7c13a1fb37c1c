import type { IpPoolUpdate, IpVersion } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { type Control, useForm } from 'react-hook-form'
import { seedAnswer } from '../../data/seed-answer.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { namedFields, namedValues, useEditForm } from '../../forms/use-edit-form.tsx'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { Banner } from '../../ui/banner.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { ipPoolKind, type PoolKind, poolQuery, subnetPoolKind, usePoolParam } from './pool-kind.ts'

const WhoSees = () => (
  <Banner>Users of linked silos see the name and the description when they choose a pool.</Banner>
)

type PoolCreateValues = { name: string; description: string; ipVersion: IpVersion }
const newPool: PoolCreateValues = { name: '', description: '', ipVersion: 'v4' }

/** The fields of a new pool. */
const PoolCreateFields = ({ control }: { control: Control<PoolCreateValues> }) => (
  <>
    <WhoSees />
    <NameField control={control} />
    <DescriptionField control={control} />
    <RadioField
      name="ipVersion"
      label="IP version"
      control={control}
      items={[
        { value: 'v4', label: 'v4' },
        { value: 'v6', label: 'v6' },
      ]}
    />
  </>
)

type EditProps = {
  pool: { id: string; timeCreated: Date; timeModified: Date }
  control: Control<{ name: string; description: string }>
}

/** The editable fields of a pool. */
const PoolEditFields = ({ pool, control }: EditProps) => (
  <>
    <PropertiesTable>
      <PropertiesTable.IdRow id={pool.id} />
      <PropertiesTable.DateRow date={pool.timeCreated} label="Created" />
      <PropertiesTable.DateRow date={pool.timeModified} label="Updated" />
    </PropertiesTable>
    <WhoSees />
    <NameField control={control} />
    <DescriptionField control={control} />
  </>
)

function PoolCreateForm({ kind }: { kind: PoolKind }) {
  const navigate = useNavigate()
  const form = useForm({ defaultValues: newPool })
  const close = () => void navigate({ to: kind.paths.list })
  const argsOf = (values: PoolCreateValues) => ({ body: { ...values, ...kind.made } })
  const create = useApiForm(kind.create, argsOf, {
    onSuccess: (pool) => {
      seedAnswer(kind.view, { path: { pool: pool.name } }, pool)
      doneToast(kind.Words, pool.name, 'created')
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource={kind.words}
      {...create}
      onDismiss={close}
    >
      <PoolCreateFields control={form.control} />
    </SideModalForm>
  )
}

function PoolEditForm({ kind }: { kind: PoolKind }) {
  const navigate = useNavigate()
  const selector = usePoolParam()
  const toPage = (name: string) => void navigate({ to: kind.paths.page, params: { pool: name } })
  const argsOf = (body: IpPoolUpdate) => ({ path: { pool: selector }, body })
  const {
    opened: pool,
    form,
    ...update
  } = useEditForm(kind.update, {
    resource: kind.words,
    read: poolQuery(kind, selector),
    valuesOf: namedValues,
    fields: namedFields,
    argsOf,
    onSuccess: (updated) => {
      seedAnswer(kind.view, { path: { pool: updated.name } }, updated)
      doneToast(kind.Words, updated.name, 'updated')
      toPage(updated.name)
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      star={<ResourceButtons kind={kind.thing} thing={pool} />}
      {...update}
      onDismiss={() => toPage(selector)}
    >
      <PoolEditFields pool={pool} control={form.control} />
    </SideModalForm>
  )
}

export const IpPoolCreateForm = () => <PoolCreateForm kind={ipPoolKind} />
export const IpPoolEditForm = () => <PoolEditForm kind={ipPoolKind} />
export const SubnetPoolCreateForm = () => <PoolCreateForm kind={subnetPoolKind} />
export const SubnetPoolEditForm = () => <PoolEditForm kind={subnetPoolKind} />
