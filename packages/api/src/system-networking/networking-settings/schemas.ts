import { boolean, record } from '../../schema.ts'

export const ServiceIcmpConfig = record('ServiceIcmpConfig', { enabled: boolean })
export const SystemNetworkingSettings = record('SystemNetworkingSettings', {
  external_jumbo_frames_opt_in_enabled: boolean,
})
export const SystemNetworkingSettingsUpdate = record('SystemNetworkingSettingsUpdate', {
  external_jumbo_frames_opt_in_enabled: boolean.default(false),
})
