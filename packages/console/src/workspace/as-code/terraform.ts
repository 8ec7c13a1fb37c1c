import {
  Configuration,
  type FindCached,
  printBlock,
  terraformProvider,
  unsupportedReasons,
  writers,
} from '@steading/api/terraform'
import type { Code, Step } from './steps.ts'

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
  return { text, notes: text ? [terraformProvider, ...to.notes] : to.notes }
}

function write(step: Step, to: Configuration): void {
  if (step.operation === 'writeFile' || step.operation === 'awaitFinalized') return
  const reason = unsupportedReasons[step.operation]
  const writer = writers[step.operation] as ((args: unknown, to: Configuration) => void) | undefined
  if (writer) writer(step.args, to)
  else to.note(`The Terraform provider has no resource for this${reason ? `: ${reason}` : '.'}`)
}
