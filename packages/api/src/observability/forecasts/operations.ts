import type { Operation } from '../../operation.ts'
import { NameOrId } from '../../schema.ts'
import { SystemForecast, UseForecasts } from './schemas.ts'

const tags = ['extensions']
const success = { status: 200, schema: UseForecasts } as const

export const forecastOperations = {
  utilization_forecast: {
    method: 'GET',
    path: '/x/v1/utilization/forecast',
    tags,
    summary: "Forecast when the quotas of the caller's silo are used up",
    permission: { silo: 'read' },
    success,
  },
  system_forecast: {
    method: 'GET',
    path: '/x/v1/system/utilization/forecast',
    tags,
    summary: 'Forecast which quotas and pools are used up first',
    permission: { fleet: 'list' },
    success: { status: 200, schema: SystemForecast },
  },
  silo_forecast: {
    method: 'GET',
    path: '/x/v1/system/utilization/silos/{silo}/forecast',
    tags,
    summary: 'Forecast when the quotas of a silo are used up',
    permission: { silo: 'read' },
    params: { silo: NameOrId },
    success,
  },
  system_ip_pool_forecast: {
    method: 'GET',
    path: '/x/v1/system/ip-pools/{pool}/forecast',
    tags,
    summary: 'Forecast when an IP pool runs out of addresses',
    permission: { system_ip_pool: 'read' },
    params: { pool: NameOrId },
    success,
  },
  system_subnet_pool_forecast: {
    method: 'GET',
    path: '/x/v1/system/subnet-pools/{pool}/forecast',
    tags,
    summary: 'Forecast when a subnet pool runs out of addresses',
    permission: { system_subnet_pool: 'read' },
    params: { pool: NameOrId },
    success,
  },
} as const satisfies Record<string, Operation>
