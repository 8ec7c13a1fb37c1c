import type { Args, IpPoolUpdate } from '@steading/api/client'
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

export function IpPoolCreateForm() {
  const navigate = useNavigate()
  const form = useForm({ defaultValues: newPool })
  const close = () => void navigate({ to: '/system/networking/ip-pools' })
  const argsOf = (values: PoolCreateValues): Args<'systemIpPoolCreate'> => ({
    body: { ...values, poolType: 'unicast' },
  })
  const create = useApiForm('systemIpPoolCreate', argsOf, {
    onSuccess: (pool) => {
      void invalidate('systemIpPoolList')
      seed('systemIpPoolView', { path: { pool: pool.name } }, pool)
      doneToast('IP pool', pool.name, 'created')
      close()
    },
  })
  return (
    <SideModalForm form={form} formType="create" resource="IP pool" {...create} onDismiss={close}>
      <PoolCreateFields control={form.control} />
    </SideModalForm>
  )
}

export function IpPoolEditForm() {
  const navigate = useNavigate()
  const selector = usePoolParam()
  const toPage = (name: string) =>
    void navigate({ to: '/system/networking/ip-pools/$pool', params: { pool: name } })
  const argsOf = (body: IpPoolUpdate) => ({ path: { pool: selector }, body })
  const {
    opened: pool,
    form,
    ...update
  } = useEditForm('systemIpPoolUpdate', {
    resource: 'IP pool',
    read: poolQuery(selector),
    valuesOf: namedValues,
    fields: namedFields,
    argsOf,
    onSuccess: (updated) => {
      void invalidate('systemIpPoolList', 'siloIpPoolList', 'ipPoolList')
      seed('systemIpPoolView', { path: { pool: updated.name } }, updated)
      doneToast('IP pool', updated.name, 'updated')
      toPage(updated.name)
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      star={<ThingButtons kind="system_ip_pool" thing={pool} />}
      {...update}
      onDismiss={() => toPage(selector)}
    >
      <PoolEditFields pool={pool} control={form.control} />
    </SideModalForm>
  )
}
