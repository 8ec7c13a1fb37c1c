import type { Operation } from '../../operation.ts'
import { NameOrId } from '../../schema.ts'
import { Briefing } from './schemas.ts'

/** Sentences depend on the time, and on measurements. */
const briefing = {
  method: 'GET',
  tags: ['extensions'],
  live: true,
  success: { status: 200, schema: Briefing },
} as const

export const briefingOperations = {
  project_briefing: {
    ...briefing,
    path: '/x/v1/briefing/project',
    summary: 'Say how a project is doing, and what to do next',
    permission: { project: 'read' },
    query: { project: NameOrId },
  },
  silo_briefing: {
    ...briefing,
    path: '/x/v1/briefing/silo',
    summary: "Say how the caller's silo is doing, and what to do next",
    permission: { silo: 'read' },
  },
  fleet_briefing: {
    ...briefing,
    path: '/x/v1/briefing/fleet',
    summary: 'Say how the fleet is doing, and what to do next',
    permission: { fleet: 'read' },
  },
  instance_briefing: {
    ...briefing,
    path: '/x/v1/briefing/instance',
    summary: 'Say how an instance is doing',
    permission: { instance: 'read' },
    query: { project: NameOrId.optional(), instance: NameOrId },
  },
} as const satisfies Record<string, Operation>
