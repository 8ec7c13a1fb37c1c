import type { Row } from '../../../kernel/kinds.ts'

/** The kind of an image: one of a project, or one of the silo. */
export const imageKind = ({ project_id }: Pick<Row<'image'>, 'project_id'>) =>
  project_id === null ? 'silo_image' : 'image'
