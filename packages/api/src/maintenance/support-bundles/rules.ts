/** States, limits and refusals of support bundles (control plane 10.4). */
import { MiB } from '../../rules/bytes.ts'
import { errors, type ErrorTemplate } from '../../rules/errors.ts'

export const supportBundleStates = ['collecting', 'destroying', 'failed', 'active'] as const
export type SupportBundleState = (typeof supportBundleStates)[number]

/** Bytes of UTF-8. */
export const BUNDLE_COMMENT_MAX = 4096
/** Bundles kept at a time, including failed ones. */
export const BUNDLES_MAX = 24
/** Maximum size of a bundle in bytes; files that would exceed it are left out. */
export const BUNDLE_BYTES_MAX = 64 * MiB
/** Milliseconds after which a collection that keeps failing is abandoned. */
export const BUNDLE_COLLECT_MS = 5 * 60 * 1000
/** File in a bundle that lists the others with sizes and checksums. */
export const BUNDLE_MANIFEST = 'manifest.json'

export const supportBundleMessages = {
  commentTooLong: `User comment cannot exceed ${BUNDLE_COMMENT_MAX} bytes`,
  notActive: 'Cannot download bundle in non-active state',
  badRange: 'Failed to parse range request header',
  noRoom: `at most ${BUNDLES_MAX} support bundles are kept. Delete old ones first.`,
  created: 'Created by external API',
  diskFull: 'The disk of the server had no space for it',
  gaveUp: 'Collecting it failed repeatedly; see the log of the server',
} as const

/** Problem with a comment. */
export const bundleCommentProblem = (comment: string): string | undefined =>
  new TextEncoder().encode(comment).length > BUNDLE_COMMENT_MAX
    ? supportBundleMessages.commentTooLong
    : undefined

/** Reason that a bundle cannot be downloaded; undefined if it can. */
const cannotDownload: Record<SupportBundleState, string | undefined> = {
  collecting: 'It is still being collected',
  destroying: 'It is being deleted',
  failed: 'Collecting it has failed',
  active: undefined,
}
export const bundleCannotDownload = (state: SupportBundleState): string | undefined =>
  cannotDownload[state]

/** Reason that a bundle cannot be deleted; undefined if it can. */
export const bundleCannotDelete = (state: SupportBundleState): string | undefined =>
  state === 'destroying' ? 'It is being deleted' : undefined

export const bundleDeletionRefusal = (state: SupportBundleState): ErrorTemplate | undefined =>
  bundleCannotDelete(state) === undefined
    ? undefined
    : errors.invalidRequest('support bundle is being deleted')

/** Display name and file name of a bundle: bundles have no name in the API. */
export const supportBundleName = (timeCreated: string): string =>
  `support-bundle-${timeCreated.slice(0, 19).replaceAll(/[:-]/g, '').toLowerCase()}z`
