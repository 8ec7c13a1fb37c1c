import type { Row } from '../../kernel/kinds.ts'

/** The kind of an image: it is in a project, or there for the whole silo. */
export const imageKind = ({ project_id }: Pick<Row<'image'>, 'project_id'>) =>
  project_id === null ? 'silo_image' : 'image'
