import { BUNDLE_COMMENT_MAX, supportBundleStates } from './rules.ts'
import { ByteCount, dateTime, named, oneOf, record, ruledText, string, uuid } from '../../schema.ts'

const SupportBundleState = named('SupportBundleState', oneOf(...supportBundleStates))

const bundleFields = {
  id: uuid,
  time_created: dateTime,
  reason_for_creation: string,
  reason_for_failure: string.nullable().optional(),
  state: SupportBundleState,
  user_comment: ruledText(BUNDLE_COMMENT_MAX).nullable().optional(),
}
export const SupportBundleInfo = record('SupportBundleInfo', bundleFields)

/** A row of the list. */
export const SupportBundleDetails = record('SupportBundleDetails', {
  ...bundleFields,
  name: string,
  /** Size of the file in bytes; null unless the bundle is active. */
  size: ByteCount.nullable(),
})

export const SupportBundleCreate = record('SupportBundleCreate', {
  user_comment: ruledText(BUNDLE_COMMENT_MAX).nullable().optional(),
})
export const SupportBundleUpdate = record('SupportBundleUpdate', {
  user_comment: ruledText(BUNDLE_COMMENT_MAX).nullable().optional(),
})
