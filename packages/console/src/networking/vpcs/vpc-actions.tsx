import type { Vpc } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { queryClient, seed, whenReread } from '../../data/api.ts'
import { pathTo } from '../../data/addresses.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { doneToast } from '../../ui/toasts.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { useDeletion } from '../../workspace/jobs/ask-deletion.ts'
import { markVpcDeleting, unmarkVpcDeleting, vpcQuery } from './queries.ts'

export const vpcDocs = {
  topic: 'VPCs',
  summary:
    'A VPC is a private network of the project, with its own addresses. Instances in its subnets reach each other; firewall rules decide what else may reach them, and routers decide where packets go.',
}

/** The actions of a VPC, in its row and on its page. */
export function useVpcActions(
  project: string,
  /** Called after deletion, to leave the page of the VPC. */
  onDeleted?: () => Promise<unknown>,
): (vpc: Vpc) => MenuAction[] {
  const navigate = useNavigate()
  const deletion = useDeletion()
  const remove = useApiAction('vpcDelete')
  return (vpc) => {
    const { id, name } = vpc
    const params = { project, vpc: name }
    const args = { path: { vpc: name }, query: { project } }
    return [
      {
        label: 'Edit',
        calls: 'vpcUpdate',
        onAction: () => {
          // Seeds the panel with the row, so that it opens at once.
          seed('vpcView', args, vpc)
          void navigate({ to: '/projects/$project/vpcs/$vpc/edit', params })
        },
      },
      deletion({
        kind: 'vpc',
        noun: 'VPC',
        id,
        name,
        project,
        code: remove(args).code,
        leaveTo: onDeleted && pathTo('/projects/$project/vpcs', { project }),
        action: async () => {
          markVpcDeleting(params)
          try {
            await remove(args).action()
            doneToast('VPC', name, 'deleted')
            await onDeleted?.()
            queryClient.removeQueries({ queryKey: vpcQuery(params).queryKey })
            await whenReread()
          } finally {
            unmarkVpcDeleting(params)
          }
        },
      }),
    ]
  }
}
