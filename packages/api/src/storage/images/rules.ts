/** Limits of images (control plane 7.6). */

export const imageMessages = {
  siloImagesRefused:
    'Images of the silo need a role on the silo: its image policy does not permit them to members of projects',
} as const

/** Characters of an operating system or a version. */
export const IMAGE_TEXT_MAX = 64

export const imageTextProblem = (text: string): string | undefined =>
  text.length > IMAGE_TEXT_MAX ? `Must be ${IMAGE_TEXT_MAX} characters or fewer` : undefined
