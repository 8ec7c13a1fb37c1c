import type { Operation } from '../../operation.ts'
import { NameOrId } from '../../schema.ts'
import { Overview } from './schemas.ts'

/** Parts of an overview depend on the time, and on measurements. */
const overview = {
  method: 'GET',
  tags: ['extensions'],
  live: true,
  success: { status: 200, schema: Overview },
} as const

export const overviewOperations = {
  project_overview: {
    ...overview,
    path: '/x/v1/overview/project',
    summary: 'Show what matters in a project',
    permission: { project: 'read' },
    query: { project: NameOrId },
  },
  silo_overview: {
    ...overview,
    path: '/x/v1/overview/silo',
    summary: "Show what matters in the caller's silo",
    permission: { silo: 'read' },
  },
  fleet_overview: {
    ...overview,
    path: '/x/v1/overview/fleet',
    summary: 'Show what matters in the fleet',
    permission: { fleet: 'read' },
  },
} as const satisfies Record<string, Operation>
