import { NameOrId } from '../../schema.ts'
import { Image, ImageCreate } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

/**
 * An image belongs to a project or to the whole silo; each has its own row of the permission
 * matrix.
 */
const seen = { image: 'read', silo_image: 'read' } as const

export const imageOperations = {
  ...usual('image', { item: Image })({
    image_list: {
      summary: 'List the images of a project, or of the silo if no project is given',
      permission: { project: 'list', silo_image: 'list' },
      required: [],
    },
    image_search: {
      required: [],
      permission: { project: 'list', silo_image: 'list' },
      columns: ['os', 'version', 'size'],
    },
    image_view: { permission: seen },
    image_create: {
      summary: 'Create an image from a snapshot, for a project or the silo',
      permission: { project: 'create', silo_image: 'create', snapshot: 'read' },
      query: { project: NameOrId.optional() },
      body: ImageCreate,
    },
    image_delete: {
      summary: 'Delete an image; disks made from it stay',
      permission: { image: 'modify', silo_image: 'modify' },
    },
    image_promote: {
      summary: 'Promote an image of a project to the whole silo',
      permission: { image: 'modify', silo_image: 'create' },
    },
    image_demote: {
      summary: 'Demote an image of the silo to one project',
      permission: { silo_image: 'modify', image: 'read', project: 'create' },
      query: { project: NameOrId },
    },
    image_deletion: { permission: seen },
  }),
  ...usual('silo_image', {
    item: Image,
    id: 'project_silo_image',
    path: '/x/v1/projects/{project}/silo-images/{image}',
  })({
    project_silo_image_list: {
      summary: 'List the images of the silo that a project may use',
      permission: { project: 'list' },
    },
    project_silo_image_view: {
      summary: 'Show an image of the silo that a project may use',
      permission: { project: 'read' },
    },
  }),
}
