import { createRoute } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { apiQuery, prefetch } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { settingsRoute } from '../../page/parent-routes.ts'
import { sshKeyListDefinition } from './queries.ts'

const list = createRoute({
  getParentRoute: () => settingsRoute,
  id: 'ssh-keys',
  component: lazyPage(() => import('./ssh-keys-page.tsx'), 'SshKeysPage'),
  ...searchedRoute(sshKeyListDefinition),
  loader: (visit) => prefetchList(sshKeyListDefinition, {}, visit),
  staticData: { crumb: 'SSH Keys', crumbTo: '/settings/ssh-keys' },
})

const index = createRoute({
  getParentRoute: () => list,
  path: '/ssh-keys',
  staticData: { nav: { icon: KeyRound, shortcut: 'goSshKeys' } },
})

const create = createRoute({
  getParentRoute: () => list,
  path: '/ssh-keys-new',
  component: lazyPage(() => import('./ssh-key-create.tsx'), 'SshKeyCreatePage'),
  staticData: { crumb: 'New SSH key', titleOnly: true },
})

const view = createRoute({
  getParentRoute: () => list,
  path: '/ssh-keys/$sshKey/edit',
  component: lazyPage(() => import('./ssh-key-view.tsx'), 'SshKeyView'),
  loader: ({ params: { sshKey } }) =>
    prefetch(apiQuery('currentUserSshKeyView', { path: { sshKey } })),
  staticData: { crumb: 'View SSH Key', titleOnly: true },
})

export const sshKeyRoutes = list.addChildren([index, create, view])
