import type { FieldCondition } from '@steading/oxql'

/** What the series that callers may see in a project have to meet, whatever a query says. */
export const projectScope = (project: { id: string; silo_id: string }): FieldCondition[] => [
  { field: 'silo_id', comparison: '==', value: project.silo_id },
  { field: 'project_id', comparison: '==', value: project.id },
]
