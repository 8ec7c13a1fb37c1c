import type { Args, SubnetPoolUpdate } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../../../workspace/as-code/as-code.tsx'
import { invalidate, seed } from '../../../data/api.ts'
import { namedFields, namedValues, useEditForm } from '../../../forms/use-edit-form.tsx'
import { ThingButtons } from '../../../page/thing-buttons.tsx'
import {
  newPool,
  PoolCreateFields,
  type PoolCreateValues,
  PoolEditFields,
} from '../../pools/pool-fields.tsx'
import { SideModalForm } from '../../../ui/form/side-modal-form.tsx'
import { doneToast } from '../../../ui/toasts.tsx'
import { poolQuery, usePoolParam } from './queries.ts'

export function SubnetPoolCreateForm() {
  const navigate = useNavigate()
  const form = useForm({ defaultValues: newPool })
  const close = () => void navigate({ to: '/system/networking/subnet-pools' })
  const argsOf = (values: PoolCreateValues): Args<'systemSubnetPoolCreate'> => ({
    body: values,
  })
  const create = useApiForm('systemSubnetPoolCreate', argsOf, {
    onSuccess: (pool) => {
      void invalidate('systemSubnetPoolList')
      seed('systemSubnetPoolView', { path: { pool: pool.name } }, pool)
      doneToast('Subnet pool', pool.name, 'created')
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
      <PoolCreateFields control={form.control} />
    </SideModalForm>
  )
}

export function SubnetPoolEditForm() {
  const navigate = useNavigate()
  const selector = usePoolParam()
  const toPage = (name: string) =>
    void navigate({ to: '/system/networking/subnet-pools/$pool', params: { pool: name } })
  const argsOf = (body: SubnetPoolUpdate) => ({ path: { pool: selector }, body })
  const {
    opened: pool,
    form,
    ...update
  } = useEditForm('systemSubnetPoolUpdate', {
    resource: 'subnet pool',
    read: poolQuery(selector),
    valuesOf: namedValues,
    fields: namedFields,
    argsOf,
    onSuccess: (updated) => {
      void invalidate('systemSubnetPoolList', 'siloSubnetPoolList', 'subnetPoolList')
      seed('systemSubnetPoolView', { path: { pool: updated.name } }, updated)
      doneToast('Subnet pool', updated.name, 'updated')
      toPage(updated.name)
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      star={<ThingButtons kind="system_subnet_pool" thing={pool} />}
      {...update}
      onDismiss={() => toPage(selector)}
    >
      <PoolEditFields pool={pool} control={form.control} />
    </SideModalForm>
  )
}
