import { Configuration, type FindCached } from './configuration.ts'
import { printBlock } from './hcl.ts'
import type { Code, Step } from './steps.ts'
import { instances } from './terraform/instances.ts'
import { networking } from './terraform/networking.ts'
import { projects } from './terraform/projects.ts'
import type { Writers } from './terraform/shared.ts'
import { system } from './terraform/system.ts'
import { unsupportedReasons } from './terraform/unsupported.ts'

const PROVIDER =
  'For the provider oxidecomputer/oxide, 0.20 or later. It signs in with an access token in OXIDE_TOKEN.'

const writers: Writers = { ...projects, ...instances, ...networking, ...system }

/**
 * Configuration for the public provider of this API; a note covers operations without a
 * resource.
 */
export function terraform(steps: readonly Step[], findCached: FindCached): Code {
  const to = new Configuration(findCached)
  if (steps.some(({ operation }) => operation === 'writeFile')) {
    to.note(
      'The Terraform provider has no resource for this: it cannot upload a file. Upload the image here or with the other code; Terraform can then use it with data "oxide_image".',
    )
    return { text: '', notes: to.notes }
  }
  for (const step of steps) write(step, to)
  const text = to.blocks().map(printBlock).join('\n\n')
  return { text, notes: text ? [PROVIDER, ...to.notes] : to.notes }
}

function write(step: Step, to: Configuration): void {
  if (step.operation === 'writeFile' || step.operation === 'awaitFinalized') return
  const reason = unsupportedReasons[step.operation]
  const writer = writers[step.operation] as ((args: unknown, to: Configuration) => void) | undefined
  if (writer) writer(step.args, to)
  else to.note(`The Terraform provider has no resource for this${reason ? `: ${reason}` : '.'}`)
}
