import type { FieldCondition } from '@steading/oxql'

/** Conditions for the series that callers may see in a project, in addition to those of a query. */
export const projectScope = (project: { id: string; silo_id: string }): FieldCondition[] => [
  { field: 'silo_id', comparison: '==', value: project.silo_id },
  { field: 'project_id', comparison: '==', value: project.id },
]
