import type { Args, VpcRouterUpdate } from '@steading/api/client'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Waypoints } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { seedAnswer } from '../../data/seed-answer.ts'
import { namedFields, namedValues, useEditForm } from '../../forms/use-edit-form.tsx'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { useVpcParams, type VpcParams } from '../vpcs/queries.ts'
import { doneToast } from '../../ui/toasts.tsx'
import { routerArgs, routerQuery } from './queries.ts'
import { Truncate } from '../../ui/text.tsx'

const initial = { name: '', description: '' }

function useLeave(params: VpcParams) {
  const navigate = useNavigate()
  return () => void navigate({ to: '/projects/$project/vpcs/$vpc/routers', params })
}

export function RouterCreateForm() {
  const params = useVpcParams()
  const close = useLeave(params)
  const form = useForm({ defaultValues: initial })
  const argsOf = (body: typeof initial): Args<'vpcRouterCreate'> => ({ query: params, body })
  const create = useApiForm('vpcRouterCreate', argsOf, {
    onSuccess: (router) => {
      seedAnswer('vpcRouterView', routerArgs({ ...params, router: router.name }), router)
      doneToast('Router', router.name, 'created')
      close()
    },
  })
  return (
    <SideModalForm form={form} formType="create" resource="router" {...create} onDismiss={close}>
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
    </SideModalForm>
  )
}

export function RouterEditForm() {
  const { router: selector, ...params } = useParams({
    from: '/shell/projects-crumb/projects/$project/vpcs-crumb/vpcs/$vpc/tabs/routers/routers/$router/edit',
  })
  const named = { ...params, router: selector }
  const close = useLeave(params)
  const argsOf = (body: VpcRouterUpdate) => ({ ...routerArgs(named), body })
  const {
    opened: router,
    form,
    ...update
  } = useEditForm('vpcRouterUpdate', {
    resource: 'router',
    read: routerQuery(named),
    valuesOf: namedValues,
    fields: namedFields,
    argsOf,
    onSuccess: (updated) => {
      seedAnswer('vpcRouterView', routerArgs({ ...params, router: updated.name }), updated)
      doneToast('Router', updated.name, 'updated')
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      star={<ResourceButtons kind="vpc_router" thing={router} />}
      subtitle={
        <>
          <Waypoints size={16} strokeWidth={1.5} aria-hidden />
          <Truncate text={router.name} />
        </>
      }
      {...update}
      onDismiss={close}
    >
      <PropertiesTable>
        <PropertiesTable.IdRow id={router.id} />
        <PropertiesTable.DateRow date={router.timeCreated} label="Created" />
        <PropertiesTable.DateRow date={router.timeModified} label="Updated" />
        <PropertiesTable.Row label="Kind">
          <Tag>{router.kind}</Tag>
        </PropertiesTable.Row>
      </PropertiesTable>
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
    </SideModalForm>
  )
}
