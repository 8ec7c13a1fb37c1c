import type { Args, SubnetPoolUpdate, IpVersion } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../as-code/as-code.tsx'
import { invalidate, seed, usePrefetchedQuery } from '../data/api.ts'
import { DescriptionField, NameField } from '../forms/name-fields.tsx'
import { ThingButtons } from '../page/thing-buttons.tsx'
import { Banner } from '../ui/banner.tsx'
import { RadioField } from '../ui/form/choice-fields.tsx'
import { SideModalForm } from '../ui/form/side-modal-form.tsx'
import { PropertiesTable } from '../ui/properties-table.tsx'
import { saidOfPool } from './pool-toast.tsx'
import { poolQuery, usePoolParam } from './queries.ts'

const WhoSees = () => (
  <Banner>Users of linked silos see the name and the description when they choose a pool.</Banner>
)

type CreateValues = { name: string; description: string; ipVersion: IpVersion }

export function SubnetPoolCreateForm() {
  const navigate = useNavigate()
  const form = useForm<CreateValues>({
    defaultValues: { name: '', description: '', ipVersion: 'v4' },
  })
  const close = () => void navigate({ to: '/system/networking/subnet-pools' })
  const argsOf = (values: CreateValues): Args<'systemSubnetPoolCreate'> => ({
    body: values,
  })
  const create = useApiForm('systemSubnetPoolCreate', argsOf, {
    onSuccess: (pool) => {
      void invalidate('systemSubnetPoolList')
      seed('systemSubnetPoolView', { path: { pool: pool.name } }, pool)
      saidOfPool(pool.name, 'created')
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="subnet pool"
      {...create}
      onDismiss={close}
    >
      <WhoSees />
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <RadioField
        name="ipVersion"
        label="IP version"
        control={form.control}
        items={[
          { value: 'v4', label: 'v4' },
          { value: 'v6', label: 'v6' },
        ]}
      />
    </SideModalForm>
  )
}

export function SubnetPoolEditForm() {
  const navigate = useNavigate()
  const selector = usePoolParam()
  const { data: pool } = usePrefetchedQuery(poolQuery(selector))
  const form = useForm({ defaultValues: { name: pool.name, description: pool.description } })
  const toPage = (name: string) =>
    void navigate({ to: '/system/networking/subnet-pools/$pool', params: { pool: name } })
  const argsOf = (body: SubnetPoolUpdate) => ({ path: { pool: selector }, body })
  const update = useApiForm('systemSubnetPoolUpdate', argsOf, {
    onSuccess: (updated) => {
      void invalidate('systemSubnetPoolList', 'siloSubnetPoolList', 'subnetPoolList')
      seed('systemSubnetPoolView', { path: { pool: updated.name } }, updated)
      saidOfPool(updated.name, 'updated')
      toPage(updated.name)
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      resource="subnet pool"
      star={<ThingButtons kind="system_subnet_pool" thing={pool} />}
      {...update}
      onDismiss={() => toPage(selector)}
    >
      <PropertiesTable>
        <PropertiesTable.IdRow id={pool.id} />
        <PropertiesTable.DateRow date={pool.timeCreated} label="Created" />
        <PropertiesTable.DateRow date={pool.timeModified} label="Updated" />
      </PropertiesTable>
      <WhoSees />
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
    </SideModalForm>
  )
}
