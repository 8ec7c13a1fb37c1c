import { createRoute } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { optional, prefetch, queryClient } from '../../data/api.ts'
import { currentUserQuery } from '../../data/session.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { panelRoutes } from '../../page/routes.ts'
import { siloRoute } from '../../page/parent-routes.ts'
import { siloTabsRoute } from '../../tenancy/silos/routes.ts'
import {
  accessOfUserQuery,
  groupQuery,
  groupsOfUserQuery,
  groupsQuery,
  keysOfUserQuery,
  nameOfGroup,
  nameOfUser,
  ownSiloQuery,
  sessionsOfUserQuery,
  tokensOfUserQuery,
  userQuery,
  usersQuery,
} from './queries.ts'

/** Users and groups are two tabs of one page. */
const people = createRoute({
  getParentRoute: () => siloRoute,
  id: 'people',
  component: lazyPage(() => import('./people-page.tsx'), 'PeoplePage'),
  staticData: { needs: 'users' },
})

const users = createRoute({
  getParentRoute: () => people,
  id: 'users',
  component: lazyPage(() => import('./users-tab.tsx'), 'UsersTab'),
  loader: async () => {
    // The silo decides whether the table has the column of second factors.
    const silo = queryClient
      .ensureQueryData(currentUserQuery)
      .then((me) => prefetch(optional(ownSiloQuery(me))))
    await Promise.all([silo, prefetch(optional(usersQuery({})))])
  },
  staticData: { crumb: 'Users', crumbTo: '/users' },
})
const usersIndex = createRoute({
  getParentRoute: () => users,
  path: '/users',
  staticData: {
    nav: { group: 'access', icon: Users, label: 'Users & Groups', onlyFor: 'siloAdmins' },
  },
})
const groups = createRoute({
  getParentRoute: () => people,
  id: 'groups',
  component: lazyPage(() => import('./groups-tab.tsx'), 'GroupsTab'),
  loader: () => prefetch(optional(groupsQuery(''))),
  staticData: { crumb: 'Groups', crumbTo: '/groups' },
})
const groupsIndex = createRoute({ getParentRoute: () => groups, path: '/groups' })
export const peopleRoutes = people.addChildren([
  users.addChildren({
    usersIndex,
    ...panelRoutes(users, {
      '/users-new': ['New user', lazyPage(() => import('./user-create.tsx'), 'UserCreatePage')],
      '/users-invite': ['Invite', lazyPage(() => import('./invite.tsx'), 'InvitePage')],
    }),
  }),
  groups.addChildren({
    groupsIndex,
    ...panelRoutes(groups, {
      '/groups-new': ['New group', lazyPage(() => import('./group-create.tsx'), 'GroupCreatePage')],
    }),
  }),
])

const usersCrumb = createRoute({
  getParentRoute: () => siloRoute,
  id: 'users-crumb',
  staticData: { crumb: 'Users', crumbTo: '/users', needs: 'users' },
})
const user = createRoute({
  getParentRoute: () => usersCrumb,
  path: '/users/$user',
  component: lazyPage(() => import('./user-page.tsx'), 'UserPage'),
  loader: ({ params }) =>
    prefetch(
      userQuery(params.user),
      optional(accessOfUserQuery(params.user)),
      optional(groupsOfUserQuery(params.user)),
      optional(sessionsOfUserQuery(params.user)),
      optional(tokensOfUserQuery(params.user)),
      optional(keysOfUserQuery(params.user)),
    ),
  staticData: { crumb: ({ user }) => nameOfUser(user!) },
})
export const userRoutes = usersCrumb.addChildren([user])

const groupsCrumb = createRoute({
  getParentRoute: () => siloRoute,
  id: 'groups-crumb',
  staticData: { crumb: 'Groups', crumbTo: '/groups', needs: 'users' },
})
const group = createRoute({
  getParentRoute: () => groupsCrumb,
  path: '/groups/$group',
  component: lazyPage(() => import('./group-page.tsx'), 'GroupPage'),
  loader: ({ params }) => prefetch(groupQuery(params.group)),
  staticData: { crumb: ({ group }) => nameOfGroup(group!) },
})
export const groupRoutes = groupsCrumb.addChildren([group])

export const siloUsersRoute = createRoute({
  getParentRoute: () => siloTabsRoute,
  path: '/users',
  component: lazyPage(() => import('./silo/users-tab.tsx'), 'SiloUsersTab'),
  loader: ({ params: { silo } }) => prefetch(optional(usersQuery({ silo }))),
  staticData: { crumb: 'Users', isTab: true, needs: 'users' },
})
