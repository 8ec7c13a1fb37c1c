import { lastChangeOf, versionOfProperty } from '../../version-history.ts'
import { isJsonObject } from '../../describe-json.ts'
import { NotAcceptableError, type SchemaChange } from '../../versions.ts'

/**
 * Clients older than jumbo frames omit the field from an update, which replaces all fields; for
 * them it is off.
 */
export const jumboFramesChange: SchemaChange = {
  until: versionOfProperty('Instance', 'enable_jumbo_frames'),
  upgradeRequest: (body) =>
    isJsonObject(body) && !('enable_jumbo_frames' in body)
      ? { ...body, enable_jumbo_frames: false }
      : body,
}

/** Older clients know two platforms and cannot parse the name of a third. */
export const turinV2Change: SchemaChange = {
  until: lastChangeOf('InstanceCpuPlatform'),
  presentResponse(platform) {
    if (platform !== 'amd_turin_v2') return platform
    throw new NotAcceptableError(`CPU platform ${platform} not supported for client version`)
  },
}
