import { Outlet } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { refetchShown } from '../../data/api.ts'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { RouteTab, RouteTabs } from '../../ui/tabs.tsx'

export function PeoplePage() {
  return (
    <>
      <PageHeader title="Users & Groups" icon={<Users strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="users and groups"
          summary="Users sign in to this silo. What they may do depends on the roles that they and their groups have on the fleet, the silo and its projects."
        />
        <RefreshButton onRefresh={refetchShown} />
      </PageHeader>
      <RouteTabs label="Users and groups">
        <RouteTab id="people-tab-users" to="/users">
          Users
        </RouteTab>
        <RouteTab id="people-tab-groups" to="/groups">
          Groups
        </RouteTab>
      </RouteTabs>
      <Outlet />
    </>
  )
}
