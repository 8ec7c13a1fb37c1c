/** States and limits of support bundles, and why something is not possible with one (control plane 10.4). */
import { MiB } from '../../rules/bytes.ts'
import { errors, type ErrorTemplate } from '../../rules/errors.ts'

export const supportBundleStates = ['collecting', 'destroying', 'failed', 'active'] as const
export type SupportBundleState = (typeof supportBundleStates)[number]

/** Bytes of UTF-8. */
export const BUNDLE_COMMENT_MAX = 4096
/** Bundles that are kept at the same time, also those that have failed. */
export const BUNDLES_MAX = 24
/** Bytes of one bundle; the last files are left out of one that would become larger. */
export const BUNDLE_BYTES_MAX = 64 * MiB
/** Milliseconds after which a collection that fails again and again is given up. */
export const BUNDLE_COLLECT_MS = 5 * 60 * 1000
/** The file of a bundle that lists the others, with their sizes and checksums. */
export const BUNDLE_MANIFEST = 'manifest.json'

export const supportBundleMessages = {
  commentTooLong: `User comment cannot exceed ${BUNDLE_COMMENT_MAX} bytes`,
  notActive: 'Cannot download bundle in non-active state',
  badRange: 'Failed to parse range request header',
  noRoom: `at most ${BUNDLES_MAX} support bundles are kept. Delete old ones first.`,
  created: 'Created by external API',
  diskFull: 'There was no room for it on the disk of the server',
  gaveUp: 'Collecting it failed again and again; the log of the server says why',
} as const

/** What is wrong with a comment. */
export const bundleCommentProblem = (comment: string): string | undefined =>
  new TextEncoder().encode(comment).length > BUNDLE_COMMENT_MAX
    ? supportBundleMessages.commentTooLong
    : undefined

/** Why a bundle cannot be downloaded; undefined if it can. */
const cannotDownload: Record<SupportBundleState, string | undefined> = {
  collecting: 'It is still being collected',
  destroying: 'It is being deleted',
  failed: 'Collecting it has failed',
  active: undefined,
}
export const bundleCannotDownload = (state: SupportBundleState): string | undefined =>
  cannotDownload[state]

/** Why a bundle cannot be deleted; undefined if it can. */
export const bundleCannotDelete = (state: SupportBundleState): string | undefined =>
  state === 'destroying' ? 'It is being deleted' : undefined

export const bundleDeletionRefusal = (state: SupportBundleState): ErrorTemplate | undefined =>
  bundleCannotDelete(state) === undefined
    ? undefined
    : errors.invalidRequest('support bundle is being deleted')

/** What a bundle is called, also its file: bundles have no name of their own in the API. */
export const supportBundleName = (timeCreated: string): string =>
  `support-bundle-${timeCreated.slice(0, 19).replaceAll(/[:-]/g, '').toLowerCase()}z`
