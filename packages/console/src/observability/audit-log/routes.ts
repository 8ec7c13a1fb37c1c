import { createRoute } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { lazyPage } from '../../page/lazy-page.ts'
import { siloRoute, systemRoute } from '../../page/parent-routes.ts'
import { readAuditAddress } from './filters.ts'

const options = {
  validateSearch: readAuditAddress,
  staticData: {
    crumb: 'Audit Log',
    needs: 'auditLog',
    nav: { group: 'access' as const, icon: ScrollText, onlyFor: 'auditors' as const },
  },
} as const

export const auditLogRoute = createRoute({
  ...options,
  getParentRoute: () => siloRoute,
  path: '/audit-log',
  component: lazyPage(() => import('./audit-log-page.tsx'), 'AuditLogPage'),
})

export const systemAuditLogRoute = createRoute({
  ...options,
  getParentRoute: () => systemRoute,
  path: '/system/audit-log',
  component: lazyPage(() => import('./audit-log-page.tsx'), 'SystemAuditLogPage'),
})
