import { boolean, record, uuid } from '../../schema.ts'

/**
 * Whether members of projects may make disks of the silo's images without a role on the silo, and
 * see these images in their projects.
 */
const members_use_silo_images = boolean

export const ImagePolicy = record('ImagePolicy', { silo_id: uuid, members_use_silo_images })

export const ImagePolicyUpdate = record('ImagePolicyUpdate', { members_use_silo_images })
