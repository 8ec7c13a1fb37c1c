import { ResourceHeader } from '../../page/resource-header.tsx'
import { routerCannotTakeRoutes } from '@steading/api/rules'
import { Outlet } from '@tanstack/react-router'
import { Plus, Waypoints } from 'lucide-react'
import { useMemo } from 'react'
import { refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { CreateButton, useCreate } from '../../page/create-action.tsx'
import { ListContents } from '../../page/list-contents.tsx'
import { resourceList, useResourceList } from '../../page/resource-list.tsx'
import { ActionMenu } from '../../ui/action-buttons.tsx'
import { Button } from '../../ui/button.tsx'
import { DocsPopover, RefreshButton } from '../../ui/page-header.tsx'
import { copyAction } from '../../ui/menu-action.ts'
import { PhoneDisclosure } from '../../ui/phone-disclosure.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { useVersions } from '../../workspace/setting-versions/use-versions.tsx'
import { useStarAction } from '../../workspace/stars/stars.tsx'
import { useWhoCan } from '../../workspace/who-can/ask-access.ts'
import { routeColumns } from './columns.tsx'
import { routeListDefinition, routerQuery, useRouterParams } from './queries.ts'
import { useRouteActions } from './route-actions.tsx'
import { useEditRouter } from './router-actions.tsx'

const routerDocs = {
  topic: 'routers',
  summary:
    'A router holds the routes for packets that leave the subnets using it. Every VPC has a system router with routes to its subnets and to the internet. A custom router is used by the subnets that name it, before the system router. Of the routes that match an address, the one with the longest prefix is taken.',
}

const routes = resourceList({
  list: routeListDefinition,
  noun: 'route',
  icon: Waypoints,
  path: '/projects/$project/vpcs/$vpc/routers/$router',
  item: '/projects/$project/vpcs/$vpc/routers/$router/routes/$route/edit',
  columns: routeColumns,
  bulk: true,
  create: {
    calls: 'vpcRouterRouteCreate',
    path: '/projects/$project/vpcs/$vpc/routers/$router/routes-new',
  },
  empty: { body: 'Add a route to see it here' },
})

/** The page of a router, with its routes. */
export function RouterPage() {
  const { project, vpc, router: selector } = useRouterParams()
  const params = useMemo(() => ({ project, vpc, router: selector }), [project, vpc, selector])
  const { data: router } = usePrefetchedQuery(routerQuery(params))
  const edit = useEditRouter({ project, vpc })
  const star = useStarAction('vpc_router')
  const history = useHistoryAction('vpc_router')
  const who = useWhoCan('vpc_router', project)
  const versions = useVersions('routes', router, true)
  return (
    <>
      <ResourceHeader
        title={router.name}
        icon={<Waypoints strokeWidth={1.5} aria-hidden />}
        kind="vpc_router"
        thing={router}
      >
        <DocsPopover {...routerDocs} />
        <RefreshButton onRefresh={refetchShown} />
        <ActionMenu
          label="Router actions"
          actions={[
            copyAction('Copy ID', router.id),
            ...star(router),
            ...history(router),
            ...who(router),
            ...versions.actions,
            edit(router),
          ]}
        />
      </ResourceHeader>
      <PhoneDisclosure label="Details">
        <div className="px-(--gutter) pb-5">
          <PropertiesTable columns={2} rows={2}>
            <PropertiesTable.DescriptionRow description={router.description} />
            <PropertiesTable.Row label="Kind">
              <Tag>{router.kind}</Tag>
            </PropertiesTable.Row>
            <PropertiesTable.DateRow label="Created" date={router.timeCreated} />
            <PropertiesTable.DateRow label="Last Modified" date={router.timeModified} />
          </PropertiesTable>
        </div>
      </PhoneDisclosure>
      <Routes params={params} closed={routerCannotTakeRoutes(router.kind)?.console} />
      {versions.panel}
      <Outlet />
    </>
  )
}

type RoutesProps = {
  params: ReturnType<typeof useRouterParams>
  /** Why no routes can be added; undefined if they can. */
  closed: string | undefined
}

function Routes({ params, closed }: RoutesProps) {
  const { project, vpc, router } = params
  const page = useResourceList(routes, { project, vpc, router })
  const { create } = page
  const actions = useRouteActions(params)
  useCreate(closed ? undefined : create)
  return (
    <section aria-labelledby="routes" className="flex grow flex-col">
      <header className="px-(--gutter) pb-3">
        <h2 id="routes" className="text-base font-medium">
          Routes
        </h2>
        <p className="text-secondary">Rules for directing network traffic</p>
      </header>
      <ListContents
        {...page}
        // Routes of a system router cannot be deleted.
        bulk={closed ? undefined : page.bulk}
        actions={actions}
        end={
          closed ? (
            <Button icon={<Plus size={16} strokeWidth={1.5} aria-hidden />} disabledReason={closed}>
              New route
            </Button>
          ) : (
            <CreateButton {...create!} variant="secondary" />
          )
        }
        empty={{ ...page.empty, create: closed ? undefined : page.empty.create }}
      />
    </section>
  )
}
