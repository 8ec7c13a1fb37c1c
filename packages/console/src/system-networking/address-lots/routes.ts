import { createRoute } from '@tanstack/react-router'
import { prefetch } from '../../data/api.ts'
import { prefetchExtension } from '../../data/capabilities.ts'
import { connectivityRoute } from '../external-connectivity/routes.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { addressLotListDefinition, lotQuery, usesQuery } from './queries.ts'

const { list, index, crumb } = listRoutes(
  connectivityRoute,
  'address-lots',
  '/system/networking/address-lots',
  {
    list: addressLotListDefinition,
    crumb: 'Address Lots',
    isTab: true,
    page: lazyPage(() => import('./address-lots-tab.tsx'), 'AddressLotsTab'),
  },
)

export const addressLotTabRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/system/networking/address-lots-new': [
      'New address lot',
      lazyPage(() => import('./address-lot-form.tsx'), 'AddressLotCreateForm'),
    ],
  }),
})

/** The page of a lot does not render inside the tabs, but its breadcrumbs include them. */
const trail = createRoute({
  getParentRoute: () => systemRoute,
  id: 'address-lots-crumb',
  staticData: crumb,
})

const page = createRoute({
  getParentRoute: () => trail,
  path: '/system/networking/address-lots/$addressLot',
  component: lazyPage(() => import('./address-lot-page.tsx'), 'AddressLotPage'),
  loader: async ({ params: { addressLot } }) => {
    await Promise.all([
      prefetch(lotQuery(addressLot)),
      prefetchExtension('lists', usesQuery(addressLot)),
    ])
  },
  staticData: { crumb: ({ addressLot }) => addressLot! },
})

export const addressLotRoutes = trail.addChildren([page])
