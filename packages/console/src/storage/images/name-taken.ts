import { call } from '../../data/api.ts'
import { ApiError } from '../../data/errors.ts'
import type { SubmitError } from '../../ui/form/side-modal-form.tsx'

/** Checked before an upload instead of after an hour of it. A 404 means that the name is free. */
export async function imageNameTaken(project: string, name: string): Promise<SubmitError | null> {
  try {
    await call('imageView', { path: { image: name }, query: { project } }, { expected: [404] })
    return { message: 'Image name already exists', errorCode: 'ObjectAlreadyExists' }
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 404) return null
    throw error
  }
}
