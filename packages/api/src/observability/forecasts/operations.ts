import { SystemForecast, UseForecasts } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const forecastOperations = {
  ...usual('silo', { item: UseForecasts, id: 'utilization', path: '/v1/utilization' })({
    utilization_forecast: {
      route: 'GET forecast',
      extension: true,
      summary: "Forecast when the quotas of the caller's silo are used up",
    },
  }),
  ...usual('fleet', { item: SystemForecast, id: 'system', path: '/v1/system/utilization' })({
    system_forecast: {
      route: 'GET forecast',
      extension: true,
      summary: 'Forecast which quotas and pools are used up first',
      permission: { fleet: 'list' },
    },
  }),
  ...usual('silo', { item: UseForecasts, path: '/v1/system/utilization/silos/{silo}' })({
    silo_forecast: {
      route: 'GET forecast',
      extension: true,
      summary: 'Forecast when the quotas of a silo are used up',
    },
  }),
  ...usual('system_ip_pool', { item: UseForecasts, path: '/v1/system/ip-pools/{pool}' })({
    system_ip_pool_forecast: {
      route: 'GET forecast',
      extension: true,
      summary: 'Forecast when an IP pool runs out of addresses',
    },
  }),
  ...usual('system_subnet_pool', { item: UseForecasts, path: '/v1/system/subnet-pools/{pool}' })({
    system_subnet_pool_forecast: {
      route: 'GET forecast',
      extension: true,
      summary: 'Forecast when a subnet pool runs out of addresses',
    },
  }),
}
