import { createRoute } from '@tanstack/react-router'
import { prefetch } from '../../data/api.ts'
import { prefetchExtension } from '../../data/capabilities.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { connectivityRoute } from '../external-connectivity/routes.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { addressLotListDefinition, lotQuery, usesQuery } from './queries.ts'

const crumb = { crumb: 'Address Lots', crumbTo: '/system/networking/address-lots' }

const tab = createRoute({
  getParentRoute: () => connectivityRoute,
  id: 'address-lots',
  component: lazyPage(() => import('./address-lots-tab.tsx'), 'AddressLotsTab'),
  ...searchedRoute(addressLotListDefinition),
  loader: (visit) => prefetchList(addressLotListDefinition, {}, visit),
  staticData: { ...crumb, isTab: true },
})

const index = createRoute({ getParentRoute: () => tab, path: '/system/networking/address-lots' })

const create = createRoute({
  getParentRoute: () => tab,
  path: '/system/networking/address-lots-new',
  component: lazyPage(() => import('./address-lot-form.tsx'), 'AddressLotCreateForm'),
  staticData: { crumb: 'New address lot', titleOnly: true },
})

export const addressLotTabRoutes = tab.addChildren([index, create])

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
  staticData: {
    crumb: ({ addressLot }) => addressLot!,
    crumbTo: ({ addressLot }) => `/system/networking/address-lots/${addressLot}`,
  },
})

export const addressLotRoutes = trail.addChildren([page])
