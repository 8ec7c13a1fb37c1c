import { apiQuery } from '../../data/api.ts'

/** Who may use the images of the silo; all of its users may read it. */
export const imagePolicyQuery = apiQuery('imagePolicyView', {})
