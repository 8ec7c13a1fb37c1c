import { usual } from '../../kinds/usual.ts'
import { ImagePolicy, ImagePolicyUpdate } from './schemas.ts'

export const imagePolicyOperations = usual('silo', {
  item: ImagePolicy,
  id: 'image_policy',
  path: '/x/v1/image-policy',
})({
  image_policy_view: {
    summary: "Show who may use the images of the caller's silo",
  },
  image_policy_update: {
    summary: "Change who may use the images of the caller's silo",
    body: ImagePolicyUpdate,
    versioned: 'image_policy',
  },
})
