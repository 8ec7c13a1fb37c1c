import type { Args } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { seedAnswer } from '../../data/seed-answer.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { useVpcParams } from '../vpcs/queries.ts'
import { doneToast } from '../../ui/toasts.tsx'
import { gatewayArgs } from './queries.ts'

const initial = { name: '', description: '' }

export function GatewayCreateForm() {
  const params = useVpcParams()
  const navigate = useNavigate()
  const form = useForm({ defaultValues: initial })
  const argsOf = (body: typeof initial): Args<'internetGatewayCreate'> => ({ query: params, body })
  const create = useApiForm('internetGatewayCreate', argsOf, {
    onSuccess: (gateway) => {
      seedAnswer('internetGatewayView', gatewayArgs({ ...params, gateway: gateway.name }), gateway)
      doneToast('Internet gateway', gateway.name, 'created')
      // Opens its panel, where pools and addresses are attached.
      void navigate({
        to: '/projects/$project/vpcs/$vpc/internet-gateways/$gateway',
        params: { ...params, gateway: gateway.name },
      })
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="internet gateway"
      {...create}
      onDismiss={() =>
        void navigate({ to: '/projects/$project/vpcs/$vpc/internet-gateways', params })
      }
    >
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
    </SideModalForm>
  )
}
