import type { VpcRouter } from '@steading/api/client'
import { routerCannotDelete } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { seed } from '../../data/api.ts'
import { useDeletion } from '../../workspace/jobs/ask-deletion.ts'
import { PlannedChanges } from '../reachability/planned-changes.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import type { VpcParams } from '../vpcs/queries.ts'
import { doneToast } from '../../ui/toasts.tsx'
import { routerArgs } from './queries.ts'

/** Opens the form of a router. */
export function useEditRouter(params: VpcParams): (router: VpcRouter) => MenuAction {
  const navigate = useNavigate()
  return (router) => ({
    label: 'Edit',
    calls: 'vpcRouterUpdate',
    onAction: () => {
      seed('vpcRouterView', routerArgs({ ...params, router: router.name }), router)
      void navigate({
        to: '/projects/$project/vpcs/$vpc/routers/$router/edit',
        params: { ...params, router: router.name },
      })
    },
  })
}

/** The row actions of a router. */
export function useRouterActions(params: VpcParams): (router: VpcRouter) => MenuAction[] {
  const edit = useEditRouter(params)
  const deletion = useDeletion()
  const remove = useApiAction('vpcRouterDelete')
  return (router) => {
    const { id, name, kind } = router
    const { action, code } = remove(routerArgs({ ...params, router: name }))
    const stays = routerCannotDelete(kind)?.console
    const deleteIt = deletion({
      kind: 'vpc_router',
      noun: 'VPC router',
      id,
      name,
      project: params.project,
      calls: 'vpcRouterDelete',
      cannot: stays,
      extra: 'This will also delete any routes belonging to this router.',
      below: stays ? undefined : (
        <PlannedChanges change={{ query: { router: id }, body: { type: 'router_delete' } }} />
      ),
      code,
      action: async () => {
        await action()
        doneToast('Router', name, 'deleted')
      },
    })
    return [edit(router), stays ? { ...deleteIt, disabledReason: stays } : deleteIt]
  }
}
