import type { VpcSubnet } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { seed } from '../../data/api.ts'
import { useDeletion } from '../../workspace/jobs/ask-deletion.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { addToast } from '../../ui/toasts.tsx'
import type { VpcParams } from '../vpcs/queries.ts'
import { subnetArgs } from './queries.ts'

/** The row actions of a subnet. */
export function useSubnetActions(params: VpcParams): (subnet: VpcSubnet) => MenuAction[] {
  const navigate = useNavigate()
  const deletion = useDeletion()
  const remove = useApiAction('vpcSubnetDelete', {
    onSuccess: (_, { path }) => {
      addToast({ about: path.subnet, content: 'VPC subnet deleted' })
    },
  })
  return (subnet) => {
    const named = { ...params, subnet: subnet.name }
    return [
      {
        label: 'Edit',
        calls: 'vpcSubnetUpdate',
        onAction: () => {
          // Seeds the panel with the row, so that it opens at once.
          seed('vpcSubnetView', subnetArgs(named), subnet)
          void navigate({ to: '/projects/$project/vpcs/$vpc/subnets/$subnet/edit', params: named })
        },
      },
      deletion({
        kind: 'vpc_subnet',
        noun: 'VPC subnet',
        id: subnet.id,
        name: subnet.name,
        project: params.project,
        ...remove({ path: { subnet: subnet.id } }),
      }),
    ]
  }
}
