import type { RouterRoute } from '@steading/api/client'
import { routeCannotChange, routeCannotDelete } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { invalidate } from '../../data/api.ts'
import { PlannedChanges } from '../reachability/planned-changes.tsx'
import { confirmDelete } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { addToast } from '../../ui/toasts.tsx'
import { showRouteAtOnce } from './columns.tsx'
import type { RouterParams } from './queries.ts'

/** The row actions of a route. */
export function useRouteActions(params: RouterParams): (route: RouterRoute) => MenuAction[] {
  const navigate = useNavigate()
  const remove = useApiAction('vpcRouterRouteDelete', {
    onSuccess: () => {
      void invalidate('vpcRouterRouteList', 'internetGatewayList')
      addToast({ content: 'Route deleted' })
    },
  })
  return (route) => [
    {
      label: 'Edit',
      calls: 'vpcRouterRouteUpdate',
      disabledReason: routeCannotChange(route.kind)?.console,
      onAction: () => {
        showRouteAtOnce(params, route)
        void navigate({
          to: '/projects/$project/vpcs/$vpc/routers/$router/routes/$route/edit',
          params: { ...params, route: route.name },
        })
      },
    },
    {
      label: 'Delete',
      calls: 'vpcRouterRouteDelete',
      danger: true,
      disabledReason: routeCannotDelete(route.kind)?.console,
      onAction: () =>
        confirmDelete({
          kind: 'route',
          name: route.name,
          below: <PlannedChanges change={{ body: { type: 'route_delete', route: route.id } }} />,
          ...remove({ path: { route: route.id } }),
        }),
    },
  ]
}
