/** Limits of images (control plane 7.6). */

/** Characters of an operating system or a version. */
export const IMAGE_TEXT_MAX = 64

export const imageTextProblem = (text: string): string | undefined =>
  text.length > IMAGE_TEXT_MAX ? `Must be ${IMAGE_TEXT_MAX} characters or fewer` : undefined
