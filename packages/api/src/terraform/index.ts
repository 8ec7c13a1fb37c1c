/** Resources as configurations of Terraform, for the published provider of this API. */
import { instances } from './instances.ts'
import { networking } from './networking.ts'
import { projects } from './projects.ts'
import type { Writers } from './shared.ts'
import { system } from './system.ts'

export { fromWire } from '../client/mapping.ts'
export {
  type CachedResource,
  Configuration,
  type FindCached,
  type Kind,
  labelOf,
} from './configuration.ts'
export { Expression, hclQuote, printBlock } from './hcl.ts'
export { unsupportedReasons } from './unsupported.ts'

export const terraformProvider =
  'For the provider oxidecomputer/oxide, 0.20 or later. It signs in with an access token in OXIDE_TOKEN.'

/** Method of the client → the function that writes its effect. */
export const writers: Writers = { ...projects, ...instances, ...networking, ...system }
