import type { RouterRoute } from '@steading/api/client'
import { routeCannotChange, routeCannotDelete } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { RestorableNote, undoable } from '../../workspace/deleted-resources/restorable.tsx'
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
    onSuccess: (_, { path }) => {
      addToast({ about: path.route, content: 'Route deleted' })
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
          ...undoable(
            { kind: 'router_route', id: route.id, name: route.name },
            remove({ path: { route: route.id } }),
          ),
          below: (
            <div className="flex flex-col gap-3">
              <RestorableNote kind="router_route" />
              <PlannedChanges change={{ body: { type: 'route_delete', route: route.id } }} />
            </div>
          ),
        }),
    },
  ]
}
