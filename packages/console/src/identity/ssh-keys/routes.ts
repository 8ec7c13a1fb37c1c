import { KeyRound } from 'lucide-react'
import { apiQuery, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { settingsRoute } from '../../page/parent-routes.ts'
import { sshKeyListDefinition } from './queries.ts'

const { list, index } = listRoutes(settingsRoute, 'ssh-keys', '/ssh-keys', {
  list: sshKeyListDefinition,
  crumb: 'SSH Keys',
  nav: { icon: KeyRound, shortcut: 'goSshKeys' },
  page: lazyPage(() => import('./ssh-keys-page.tsx'), 'SshKeysPage'),
})

export const sshKeyRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/ssh-keys-new': [
      'New SSH key',
      lazyPage(() => import('./ssh-key-create.tsx'), 'SshKeyCreatePage'),
    ],
    '/ssh-keys/$sshKey/edit': [
      'View SSH Key',
      lazyPage(() => import('./ssh-key-view.tsx'), 'SshKeyView'),
      ({ sshKey }) => prefetch(apiQuery('currentUserSshKeyView', { path: { sshKey } })),
    ],
  }),
})
